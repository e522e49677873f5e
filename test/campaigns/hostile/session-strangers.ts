// Every browser sends the seals of every other one: alone, with its own cookie, from its own origin, and by the other transport.

import { randomUUID } from 'node:crypto';
import { apiPaths } from '../../../shared/api/paths.ts';
import type { Answer } from '../../support/applicant.ts';
import { startBff, type TestBff } from '../../support/bff.ts';
import { type CampaignContext, type CampaignRow, scale } from '../campaign.ts';
import { createSessionClient, type SessionClient } from './session-client.ts';

/** A browser with a session of each transport. Each session has its own application. */
interface Applicant {
  readonly origin: string;
  readonly byToken: SessionClient;
  readonly byCookie: SessionClient;
}

const sessionsPerOrigin = 10;

/** Tries everything except a session token alone on its own origin, which is valid for any bearer. */
export async function trySessionsOfOthers({ share }: CampaignContext): Promise<CampaignRow> {
  const count = scale(200, share);
  const origins = Array.from(
    { length: Math.ceil(count / sessionsPerOrigin) },
    (_none, index) => `http://partner-${index}.localhost:8080`,
  );
  const bff = await startBff({ variables: { ALLOWED_ORIGINS: origins.join(' ') } });
  const applicants: Applicant[] = [];
  for (let index = 0; index < count; index += 1) {
    applicants.push(await openApplicant(bff, origins[index % origins.length] ?? ''));
  }

  const problems: string[] = [];
  let tries = 0;
  for (const stranger of applicants) {
    for (const owner of applicants) {
      if (owner === stranger) continue;
      const answers = await Promise.all(listAttempts(stranger, owner));
      tries += answers.length;
      problems.push(...answers.filter(isAccepted).map(({ status }) => `answered ${status}`));
    }
  }
  for (const { byToken, byCookie } of applicants) {
    for (const client of [byToken, byCookie]) {
      const { status } = await client.send('GET', apiPaths.application);
      if (status !== 200) problems.push(`its own session is ${status} afterwards`);
    }
  }
  await bff.close();
  return { runs: tries, unit: 'attempts', notes: `${count} applicants`, problems };
}

function listAttempts(stranger: Applicant, owner: Applicant): readonly Promise<Answer>[] {
  const { byToken, byCookie } = stranger;
  const token = owner.byToken.toHeaders(owner.byToken.seal());
  const asToken = { authorization: `Funding ${owner.byCookie.seal()}` };
  const asCookie = byCookie.toHeaders(owner.byToken.seal());
  const isSameOrigin = stranger.origin === owner.origin;
  const readStatus = (client: SessionClient, headers: Readonly<Record<string, string>>) =>
    client.send('GET', apiPaths.application, undefined, headers);
  return [
    readStatus(byCookie, token),
    readStatus(byCookie, asToken),
    readStatus(byToken, asToken),
    readStatus(byCookie, asCookie),
    ...(isSameOrigin
      ? []
      : [
          readStatus(byToken, token),
          readStatus(byCookie, byCookie.toHeaders(owner.byCookie.seal())),
        ]),
  ];
}

function isAccepted({ status, json }: Answer): boolean {
  return status !== 401 || json?.code !== 'session-missing';
}

async function openApplicant(bff: TestBff, origin: string): Promise<Applicant> {
  const byToken = createSessionClient(bff, 'handle', origin);
  const byCookie = createSessionClient(bff, 'cookie', origin);
  for (const client of [byToken, byCookie]) {
    await client.begin();
    await client.apply(randomUUID());
  }
  return { origin, byToken, byCookie };
}
