// Every session tries what every other one holds: as its own, at its own page, beside its own cookie, and by the other way.

import { randomUUID } from 'node:crypto';
import { apiPaths } from '../../shared/api/paths.ts';
import { createRig, type Answer, type Rig } from '../bff/bff-rig.ts';
import { unlimited } from '../support/unlimited.ts';
import { createSessionClient, type SessionClient } from './session-client.ts';

export interface StrangersResult {
  readonly sessions: number;
  readonly tries: number;
  readonly problems: readonly string[];
}

/** One applicant's browser with a session of each kind, each with an application of its own. */
interface Applicant {
  readonly origin: string;
  readonly byHandle: SessionClient;
  readonly byCookie: SessionClient;
}

const sessionsAnOrigin = 10;

/** A handle alone opens at its own page, as any bearer's does; everything else that a stranger can send is tried. */
export async function tryStrangers(count: number): Promise<StrangersResult> {
  const origins = Array.from(
    { length: Math.ceil(count / sessionsAnOrigin) },
    (_none, index) => `http://partner-${index}.localhost:8080`,
  );
  const rig = await createRig({
    variables: { ALLOWED_ORIGINS: origins.join(' ') },
    settings: { limits: unlimited },
  });
  const applicants: Applicant[] = [];
  for (let index = 0; index < count; index += 1) {
    applicants.push(await openApplicant(rig, origins[index % origins.length] ?? ''));
  }

  const problems: string[] = [];
  let tries = 0;
  for (const stranger of applicants) {
    for (const owner of applicants) {
      if (owner === stranger) continue;
      const answers = await Promise.all(listTries(stranger, owner));
      tries += answers.length;
      problems.push(...answers.filter(isLet).map(({ status }) => `answered ${status}`));
    }
  }
  for (const { byHandle, byCookie } of applicants) {
    for (const client of [byHandle, byCookie]) {
      const { status } = await client.send('GET', apiPaths.application);
      if (status !== 200) problems.push(`its own session is ${status} afterwards`);
    }
  }
  await rig.close();
  return { sessions: count, tries, problems };
}

function listTries(stranger: Applicant, owner: Applicant): readonly Promise<Answer>[] {
  const { byHandle, byCookie } = stranger;
  const handle = owner.byHandle.carry(owner.byHandle.seal());
  const asHandle = { authorization: `Funding ${owner.byCookie.seal()}` };
  const asCookie = byCookie.carry(owner.byHandle.seal());
  const isAtHome = stranger.origin === owner.origin;
  const look = (client: SessionClient, headers: Readonly<Record<string, string>>) =>
    client.send('GET', apiPaths.application, undefined, headers);
  return [
    look(byCookie, handle),
    look(byCookie, asHandle),
    look(byHandle, asHandle),
    look(byCookie, asCookie),
    ...(isAtHome
      ? []
      : [look(byHandle, handle), look(byCookie, byCookie.carry(owner.byCookie.seal()))]),
  ];
}

function isLet({ status, json }: Answer): boolean {
  return status !== 401 || json?.code !== 'session-missing';
}

async function openApplicant(rig: Rig, origin: string): Promise<Applicant> {
  const byHandle = createSessionClient(rig, 'handle', origin);
  const byCookie = createSessionClient(rig, 'cookie', origin);
  for (const client of [byHandle, byCookie]) {
    await client.begin();
    await client.apply(randomUUID());
  }
  return { origin, byHandle, byCookie };
}
