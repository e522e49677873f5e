// What the partner's hook adds to a lead. An application is worth more than what it would add, so without it, or without what cannot be used of it, the lead goes all the same.

import type { Application } from '../../shared/application/application.ts';
import { answerWithin } from '../after.ts';
import { partnerFields, readPartnerField, type PartnerFields } from '../funding-service/lead.ts';
import type { RouteDependencies } from './dependencies.ts';

/** Somebody waits for an answer meanwhile, and nothing is kept yet. */
const patienceMs = 3_000;

/** Never throws; what the hook fails at is told to the operator, under the application's reference. */
export async function enrich(
  application: Application,
  reference: string,
  { enrichLead, after, log }: Pick<RouteDependencies, 'enrichLead' | 'after' | 'log'>,
): Promise<PartnerFields> {
  if (!enrichLead) return {};
  // A copy: what the applicant gave is not the hook's to change.
  const ask = (signal: AbortSignal) => enrichLead(structuredClone(application), signal);
  try {
    const fields = await answerWithin(patienceMs, after, ask, 'unanswered' as const);
    if (fields !== 'unanswered') return pickUsable(fields, reference, log);
    log({ event: 'enrichment-failed', reference, reason: fields });
    return {};
  } catch (error) {
    log({ event: 'enrichment-failed', reference, reason: 'threw', error });
    return {};
  }
}

/** JavaScript of somebody else, so nothing is certain about it; a field it leaves out or does not know is `undefined` or `null`. */
function pickUsable(
  fields: PartnerFields | null | undefined,
  reference: string,
  log: RouteDependencies['log'],
): PartnerFields {
  // Each is looked at once: a getter may answer something else the next time.
  const given = partnerFields
    .map((name) => [name, fields?.[name] ?? undefined] as const)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, readPartnerField(name, value)] as const);
  const unusable = given.filter(([, value]) => value === undefined).map(([name]) => name);
  if (unusable.length > 0) {
    log({ event: 'enrichment-failed', reference, reason: 'unusable', fields: unusable });
  }
  return Object.fromEntries(given);
}
