// Two requests of one browser at the same time, in every pair that the widget can make: no state is lost to whichever answer comes last.

import { randomUUID } from 'node:crypto';
import { setImmediate as tick } from 'node:timers/promises';
import { sessionTransports } from '../../bff/middleware/session-cookie.ts';
import { apiHeaders, apiPaths } from '../../shared/api/paths.ts';
import { createRig, type Answer, type Rig } from '../bff/bff-rig.ts';
import { createBankStatement } from '../support/pdf.ts';
import { createRandom } from '../support/random.ts';
import { unlimited } from '../support/unlimited.ts';
import { createSessionClient, type SessionClient } from './session-client.ts';

export interface RaceResult {
  readonly pairs: number;
  readonly requests: number;
  readonly problems: readonly string[];
}

/** Two answers, by status and code, in any order; anything else is a problem. */
type Expected = readonly (readonly [string, string])[];

interface Race {
  readonly name: string;
  run(client: SessionClient, world: World): Promise<readonly string[]>;
}

interface World {
  readonly rig: Rig;
  readonly statement: Uint8Array<ArrayBuffer>;
  /** Sends both at once, the one or the other a moment earlier. */
  meet(one: () => Promise<Answer>, other: () => Promise<Answer>): Promise<readonly Answer[]>;
}

const tenMinutes = 10 * 60_000;
const longestLead = 12;

export async function runRaces(pairs: number): Promise<RaceResult> {
  const rig = await createRig({ settings: { limits: unlimited } });
  const statement = Uint8Array.from(await createBankStatement());
  const world = { rig, statement, meet: createMeeting() };
  const problems: string[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const race = races[pair % races.length];
    const transport = sessionTransports[Math.floor(pair / races.length) % sessionTransports.length];
    if (!race || !transport) continue;
    const found = await race.run(createSessionClient(rig, transport), world);
    problems.push(...found.map((problem) => `${race.name} by ${transport}: ${problem}`));
  }
  problems.push(...rig.logLines.filter((line) => /"status":5\d\d/.test(line)));
  const requests = countRequests(rig);
  await rig.close();
  return { pairs, requests, problems };
}

const races: readonly Race[] = [
  {
    name: 'two first visits',
    async run(client, world) {
      const answers = await world.meet(client.begin, client.begin);
      return [
        ...expectPair(answers, [['200', '200']]),
        ...(await expectOneApplication(client, world.rig, [await client.apply(randomUUID())])),
      ];
    },
  },
  {
    name: 'a visit and a submit',
    async run(client, world) {
      await client.begin();
      const answers = await world.meet(client.begin, () => client.apply(randomUUID()));
      return [
        ...expectPair(answers, [['200', '201 accepted']]),
        ...(await expectOneApplication(client, world.rig, answers)),
      ];
    },
  },
  {
    name: 'one submit twice',
    async run(client, world) {
      await client.begin();
      const key = randomUUID();
      const answers = await world.meet(
        () => client.apply(key),
        () => client.apply(key),
      );
      return [
        ...expectPair(answers, [['201 accepted', '201 accepted']]),
        ...(await expectOneApplication(client, world.rig, answers)),
      ];
    },
  },
  {
    name: 'two submits',
    async run(client, world) {
      await client.begin();
      const answers = await world.meet(
        () => client.apply(randomUUID()),
        () => client.apply(randomUUID(), 'Another Bakery'),
      );
      return [
        ...expectPair(answers, [['201 accepted', '409 application-exists']]),
        ...(await expectOneApplication(client, world.rig, answers)),
      ];
    },
  },
  {
    name: 'a submit and a wish',
    async run(client, world) {
      await client.begin();
      const answers = await world.meet(
        () => client.apply(randomUUID()),
        () => allowContact(client),
      );
      return [
        ...expectPair(answers, [
          ['201 accepted', '409 application-missing'],
          ['201 accepted', '200'],
          ['201 accepted', '202'],
        ]),
        ...(await expectOneApplication(client, world.rig, answers)),
      ];
    },
  },
  {
    name: 'two renewals',
    async run(client, world) {
      await client.begin();
      const filed = await client.apply(randomUUID());
      const old = client.seal();
      world.rig.time.advance(tenMinutes);
      const look = () => client.send('GET', apiPaths.application);
      const answers = await world.meet(look, look);
      return [
        ...expectPair(answers, [['200 accepted', '200 accepted']]),
        ...(client.seal() === old ? ['nothing was renewed'] : []),
        ...(await expectOneApplication(client, world.rig, [filed])),
      ];
    },
  },
  {
    name: 'an upload and a look, both with a renewal',
    async run(client, world) {
      await client.begin();
      const filed = await client.apply(randomUUID());
      world.rig.time.advance(tenMinutes);
      const answers = await world.meet(
        () => upload(client, world.statement),
        () => client.send('GET', apiPaths.application),
      );
      const session = await client.send('GET', apiPaths.session);
      return [
        ...expectPair(answers, [['201 delivered', '200 accepted']]),
        ...(session.json.documents.length === 1 ? [] : ['the document is not there']),
        ...(await expectOneApplication(client, world.rig, [filed])),
      ];
    },
  },
  {
    name: 'a submit and an upload',
    async run(client, world) {
      await client.begin();
      const answers = await world.meet(
        () => client.apply(randomUUID()),
        () => upload(client, world.statement),
      );
      return [
        ...expectPair(answers, [
          ['201 accepted', '409 application-missing'],
          ['201 accepted', '201 delivered'],
        ]),
        ...(await expectOneApplication(client, world.rig, answers)),
      ];
    },
  },
  {
    name: 'an end and a submit',
    async run(client, world) {
      await client.begin();
      const kept = client.carry(client.seal());
      const answers = await world.meet(
        () => client.send('DELETE', apiPaths.session),
        () => client.apply(randomUUID()),
      );
      const startTimer = await client.send('GET', apiPaths.session, undefined, kept);
      const filed = answers.filter(({ json }) => json?.reference !== undefined);
      return [
        ...expectPair(answers, [
          ['204', '201 accepted'],
          ['204', '401 session-missing'],
        ]),
        ...(startTimer.status === 401 ? [] : [`the ended session is ${startTimer.status}`]),
        ...expectLeads(world.rig, filed),
      ];
    },
  },
];

function createMeeting(): World['meet'] {
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
  return client.send('POST', apiPaths.documents, content, {
    'content-type': 'application/octet-stream',
    'content-length': String(content.byteLength),
    [apiHeaders.documentName]: 'statement.pdf',
    [apiHeaders.documentCategory]: 'bank-statements-jan',
  });
}

function allowContact(client: SessionClient): Promise<Answer> {
  const body = JSON.stringify({ consent: { id: 'contact', version: 'placeholder-1' } });
  return client.send('POST', apiPaths.contact, body);
}

function expectPair(answers: readonly Answer[], expected: Expected): readonly string[] {
  const got = answers.map(toWord).sort().join(' + ');
  const isExpected = expected.some((pair) => [...pair].sort().join(' + ') === got);
  return isExpected ? [] : [got];
}

function toWord({ status, json }: Answer): string {
  return `${status} ${json?.code ?? json?.status ?? ''}`.trim();
}

/** What the browser sees afterwards is what was filed, and the service has it once. */
async function expectOneApplication(
  client: SessionClient,
  rig: Rig,
  answers: readonly Answer[],
): Promise<readonly string[]> {
  const filed = answers.filter(({ json }) => json?.reference !== undefined);
  const session = await client.send('GET', apiPaths.session);
  const seen = session.json?.application?.reference;
  const strange = filed.filter(({ json }) => json.reference !== seen);
  return [
    ...(filed.length > 0 ? [] : ['nothing was filed']),
    ...strange.map(() => 'the session shows another application than was filed'),
    ...expectLeads(rig, filed),
  ];
}

function expectLeads(rig: Rig, filed: readonly Answer[]): readonly string[] {
  const leads = [...rig.sandbox.context.state.leads.values()].map(({ lead }) => lead.ID);
  const references = new Set<string>(filed.map(({ json }) => json.reference));
  return [...references]
    .map((reference) => leads.filter((id) => id === reference).length)
    .filter((count) => count !== 1)
    .map((count) => `the service has it ${count} times`);
}

function countRequests({ logLines }: Rig): number {
  return logLines.filter((line) => line.includes('"event":"request"')).length;
}
