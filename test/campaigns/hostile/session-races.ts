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

type Race = (client: SessionClient, context: RaceContext) => Promise<readonly string[]>;

interface RaceContext {
  readonly bff: TestBff;
  readonly statement: Uint8Array<ArrayBuffer>;
  /** Sends both requests concurrently, one of them slightly earlier. */
  sendTogether(
    one: () => Promise<Answer>,
    other: () => Promise<Answer>,
  ): Promise<readonly Answer[]>;
}

const tenMinutes = 10 * 60_000;
const longestLead = 12;

export async function runRaces({ share }: CampaignContext): Promise<CampaignRow> {
  const pairs = scale(1_000, share);
  const bff = await startBff();
  const statement = Uint8Array.from(await readBankStatement());
  const context = { bff, statement, sendTogether: createSendTogether() };
  const problems: string[] = [];
  const names = Object.keys(races);
  for (let pair = 0; pair < pairs; pair += 1) {
    const name = names[pair % names.length]!;
    const transport = sessionTransports[Math.floor(pair / names.length) % 2]!;
    const found = await races[name]!(createSessionClient(bff, transport), context);
    problems.push(...found.map((problem) => `${name} by ${transport}: ${problem}`));
  }
  problems.push(...bff.logLines.filter((line) => /"status":5\d\d/.test(line)));
  const requests = bff.logLines.filter((line) => line.includes('"event":"request"')).length;
  await bff.close();
  return { runs: pairs, unit: 'pairs', notes: `${requests} requests`, problems };
}

/** Each returns its problems. The expected pairs are the allowed responses, in any order. */
const races: Readonly<Record<string, Race>> = {
  async 'two session starts'(client, context) {
    const answers = await context.sendTogether(client.begin, client.begin);
    return [
      ...expectPair(answers, '200 + 200'),
      ...(await expectOneApplication(client, context.bff, [await client.apply(randomUUID())])),
    ];
  },
  async 'a session start and an application'(client, context) {
    await client.begin();
    const answers = await context.sendTogether(client.begin, () => client.apply(randomUUID()));
    return [
      ...expectPair(answers, '200 + 201 accepted'),
      ...(await expectOneApplication(client, context.bff, answers)),
    ];
  },
  async 'one application twice'(client, context) {
    await client.begin();
    const key = randomUUID();
    const apply = () => client.apply(key);
    const answers = await context.sendTogether(apply, apply);
    return [
      ...expectPair(answers, '201 accepted + 201 accepted'),
      ...(await expectOneApplication(client, context.bff, answers)),
    ];
  },
  async 'two applications'(client, context) {
    await client.begin();
    const answers = await context.sendTogether(
      () => client.apply(randomUUID()),
      () => client.apply(randomUUID(), 'Another Bakery'),
    );
    return [
      ...expectPair(answers, '201 accepted + 409 application-exists'),
      ...(await expectOneApplication(client, context.bff, answers)),
    ];
  },
  async 'an application and a contact request'(client, context) {
    await client.begin();
    const answers = await context.sendTogether(
      () => client.apply(randomUUID()),
      () => client.send('POST', apiPaths.contact, contactRequest),
    );
    return [
      ...expectPair(
        answers,
        '201 accepted + 409 application-missing',
        '200 + 201 accepted',
        '201 accepted + 202',
      ),
      ...(await expectOneApplication(client, context.bff, answers)),
    ];
  },
  async 'two renewals'(client, context) {
    await client.begin();
    const submitted = await client.apply(randomUUID());
    const old = client.seal();
    context.bff.time.advance(tenMinutes);
    const readStatus = () => client.send('GET', apiPaths.application);
    const answers = await context.sendTogether(readStatus, readStatus);
    return [
      ...expectPair(answers, '200 accepted + 200 accepted'),
      ...(client.seal() === old ? ['no seal was renewed'] : []),
      ...(await expectOneApplication(client, context.bff, [submitted])),
    ];
  },
  async 'an upload and a status request, both with a renewal'(client, context) {
    await client.begin();
    const submitted = await client.apply(randomUUID());
    context.bff.time.advance(tenMinutes);
    const answers = await context.sendTogether(
      () => upload(client, context.statement),
      () => client.send('GET', apiPaths.application),
    );
    const session = await client.send('GET', apiPaths.session);
    return [
      ...expectPair(answers, '200 accepted + 201 delivered'),
      ...(session.json.documents.length === 1 ? [] : ['the document is missing']),
      ...(await expectOneApplication(client, context.bff, [submitted])),
    ];
  },
  async 'an application and an upload'(client, context) {
    await client.begin();
    const answers = await context.sendTogether(
      () => client.apply(randomUUID()),
      () => upload(client, context.statement),
    );
    return [
      ...expectPair(
        answers,
        '201 accepted + 409 application-missing',
        // The application is stored, and not accepted yet.
        '201 accepted + 202 received',
        '201 accepted + 201 delivered',
      ),
      ...(await expectOneApplication(client, context.bff, answers)),
    ];
  },
  async 'a session end and an application'(client, context) {
    await client.begin();
    const headers = client.toHeaders(client.seal());
    const answers = await context.sendTogether(
      () => client.send('DELETE', apiPaths.session),
      () => client.apply(randomUUID()),
    );
    const afterEnd = await client.send('GET', apiPaths.session, undefined, headers);
    return [
      ...expectPair(answers, '201 accepted + 204', '204 + 401 session-missing'),
      ...(afterEnd.status === 401 ? [] : [`the ended session is ${afterEnd.status}`]),
      ...expectLeads(context.bff, answers),
    ];
  },
};

function createSendTogether(): RaceContext['sendTogether'] {
  const random = createRandom(3);
  return (one, other) => {
    const leads = [0, Math.floor(random() * longestLead)];
    if (random() < 0.5) leads.reverse();
    return Promise.all(
      [one, other].map(async (send, index) => {
        for (let left = leads[index] ?? 0; left > 0; left -= 1) await tick();
        return send();
      }),
    );
  };
}

function upload(client: SessionClient, content: Uint8Array<ArrayBuffer>): Promise<Answer> {
  const headers = toUploadHeaders('statement.pdf', content.byteLength);
  return client.send('POST', apiPaths.documents, content, headers);
}

/** @param expected pairs, each in alphabetical order. */
function expectPair(answers: readonly Answer[], ...expected: readonly string[]): readonly string[] {
  const got = answers.map(toWord).sort().join(' + ');
  return expected.includes(got) ? [] : [got];
}

function toWord({ status, json }: Answer): string {
  return `${status} ${json?.code ?? json?.status ?? ''}`.trim();
}

/** The session shows the submitted application, and the funding service has it once. */
async function expectOneApplication(
  client: SessionClient,
  bff: TestBff,
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
    ...expectLeads(bff, answers),
  ];
}

function expectLeads(bff: TestBff, answers: readonly Answer[]): readonly string[] {
  const leads = [...bff.sandbox.context.state.leads.values()].map(({ lead }) => lead.ID);
  const references = answers.flatMap(({ json }): string[] => json?.reference ?? []);
  return [...new Set(references)]
    .map((reference) => leads.filter((id) => id === reference).length)
    .filter((count) => count !== 1)
    .map((count) => `the funding service has it ${count} times`);
}
