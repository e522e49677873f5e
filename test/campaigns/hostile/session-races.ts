// Two concurrent requests of one browser, in every pair that the element can send. Neither may lose the effect of the other.

import { randomUUID } from 'node:crypto';
import { setImmediate as tick } from 'node:timers/promises';
import { sessionTransports } from '../../../bff/middleware/session.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { toUploadHeaders, type Answer } from '../../support/applicant.ts';
import { contactRequest } from '../../support/applications.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { readBankStatement } from '../../support/files/realistic-files.ts';
import { createRandom } from '../../support/random.ts';
import { type CampaignContext, type CampaignRow, scale } from '../campaign.ts';
import { createSessionClient, type SessionClient } from './session-client.ts';

type Act = (client: SessionClient, context: RaceContext) => Promise<Answer>;

interface Race {
  /** The state of the browser. `renewal`: it has an application, and its next request renews the seal. Default: a session. */
  readonly start?: 'nothing' | 'renewal';
  /** Both requests, one of them slightly earlier. */
  readonly acts: readonly [Act, Act];
  /** The allowed pairs of responses, each in alphabetical order. */
  readonly expected: readonly string[];
  /** Returns the problem, if there is one. */
  readonly check?: (client: SessionClient, before: Before) => Promise<string | undefined>;
  /** If true, the session has ended. */
  readonly isEnd?: true;
}

interface RaceContext {
  /** The same for both requests. */
  readonly key: string;
  readonly statement: Uint8Array<ArrayBuffer>;
}

/** Of the browser before the requests. */
interface Before {
  readonly seal: string;
  readonly headers: Readonly<Record<string, string>>;
}

const tenMinutes = 10 * 60_000;
const longestLead = 12;

export async function runRaces({ share }: CampaignContext): Promise<CampaignRow> {
  const pairs = scale(1_000, share);
  const bff = await startBff();
  const statement = Uint8Array.from(await readBankStatement());
  const random = createRandom(3);
  const problems: string[] = [];
  const names = Object.keys(races);
  for (let pair = 0; pair < pairs; pair += 1) {
    const name = names[pair % names.length]!;
    const transport = sessionTransports[Math.floor(pair / names.length) % 2]!;
    const client = createSessionClient(bff, transport);
    const raceProblems = await runRace(races[name]!, client, bff, statement, random);
    problems.push(...raceProblems.map((problem) => `${name} by ${transport}: ${problem}`));
  }
  problems.push(...bff.logLines.filter((line) => /"status":5\d\d/.test(line)));
  const requests = bff.logLines.filter((line) => line.includes('"event":"request"')).length;
  await bff.close();
  return { runs: pairs, unit: 'pairs', notes: `${requests} requests`, problems };
}

const begin: Act = (client) => client.begin();
const apply: Act = (client) => client.apply(randomUUID());
const applyWithKey: Act = (client, { key }) => client.apply(key);
const applyOtherwise: Act = (client) => client.apply(randomUUID(), 'Another Bakery');
const askForContact: Act = (client) => client.send('POST', apiPaths.contact, contactRequest);
const readStatus: Act = (client) => client.send('GET', apiPaths.application);
const end: Act = (client) => client.send('DELETE', apiPaths.session);
const missing = '201 accepted + 409 application-missing';

const races: Readonly<Record<string, Race>> = {
  'two session starts': { start: 'nothing', acts: [begin, begin], expected: ['200 + 200'] },
  'a session start and an application': { acts: [begin, apply], expected: ['200 + 201 accepted'] },
  'one application twice': {
    acts: [applyWithKey, applyWithKey],
    expected: ['201 accepted + 201 accepted'],
  },
  'two applications': {
    acts: [apply, applyOtherwise],
    expected: ['201 accepted + 409 application-exists'],
  },
  'an application and a contact request': {
    acts: [apply, askForContact],
    expected: [missing, '200 + 201 accepted', '201 accepted + 202'],
  },
  'two renewals': {
    start: 'renewal',
    acts: [readStatus, readStatus],
    expected: ['200 accepted + 200 accepted'],
    check: async (client, { seal }) => (client.seal() === seal ? 'no seal was renewed' : undefined),
  },
  'an upload and a status request, both with a renewal': {
    start: 'renewal',
    acts: [upload, readStatus],
    expected: ['200 accepted + 201 delivered'],
    async check(client) {
      const { json } = await client.send('GET', apiPaths.session);
      return json.documents.length === 1 ? undefined : 'the document is missing';
    },
  },
  'an application and an upload': {
    acts: [apply, upload],
    // With 202, the application is stored, and not accepted yet.
    expected: [missing, '201 accepted + 202 received', '201 accepted + 201 delivered'],
  },
  'a session end and an application': {
    acts: [end, apply],
    expected: ['201 accepted + 204', '204 + 401 session-missing'],
    isEnd: true,
    async check(client, { headers }) {
      const { status } = await client.send('GET', apiPaths.session, undefined, headers);
      return status === 401 ? undefined : `the ended session is ${status}`;
    },
  },
};

async function runRace(
  { start, acts, expected, check, isEnd }: Race,
  client: SessionClient,
  bff: TestBff,
  statement: Uint8Array<ArrayBuffer>,
  random: () => number,
): Promise<readonly string[]> {
  if (start !== 'nothing') await client.begin();
  const submitted = start === 'renewal' ? [await client.apply(randomUUID())] : [];
  const before = { seal: client.seal(), headers: client.toHeaders(client.seal()) };
  if (start === 'renewal') bff.time.advance(tenMinutes);
  const context = { key: randomUUID(), statement };
  const leads = [0, Math.floor(random() * longestLead)];
  if (random() < 0.5) leads.reverse();
  const answers = await Promise.all(
    acts.map(async (act, index) => {
      for (let left = leads[index] ?? 0; left > 0; left -= 1) await tick();
      return act(client, context);
    }),
  );
  const problem = await check?.(client, before);
  if (start === 'nothing') submitted.push(await client.apply(randomUUID()));
  const all = submitted.length > 0 ? submitted : answers;
  const pair = answers.map(toWord).sort().join(' + ');
  return [
    ...(expected.includes(pair) ? [] : [pair]),
    ...(problem === undefined ? [] : [problem]),
    ...(isEnd ? [] : await expectApplication(client, all)),
    ...expectLeads(bff, all),
  ];
}

function upload(client: SessionClient, { statement }: RaceContext): Promise<Answer> {
  const headers = toUploadHeaders('statement.pdf', statement.byteLength);
  return client.send('POST', apiPaths.documents, statement, headers);
}

function toWord({ status, json }: Answer): string {
  return `${status} ${json?.code ?? json?.status ?? ''}`.trim();
}

/** The session shows the submitted application. */
async function expectApplication(
  client: SessionClient,
  answers: readonly Answer[],
): Promise<readonly string[]> {
  const submitted = answers.filter(({ json }) => json?.reference !== undefined);
  const { json } = await client.send('GET', apiPaths.session);
  const seen = json?.application?.reference;
  return [
    ...(submitted.length > 0 ? [] : ['no application was submitted']),
    ...(submitted.every((answer) => answer.json.reference === seen)
      ? []
      : ['the session shows another application']),
  ];
}

/** The funding service has it once. */
function expectLeads(bff: TestBff, answers: readonly Answer[]): readonly string[] {
  const leads = [...bff.sandbox.context.state.leads.values()].map(({ lead }) => lead.ID);
  const references = answers.flatMap(({ json }): string[] => json?.reference ?? []);
  return [...new Set(references)]
    .map((reference) => leads.filter((id) => id === reference).length)
    .filter((count) => count !== 1)
    .map((count) => `the funding service has it ${count} times`);
}
