// Takes an application: one for each session, kept safe before it is sent, answered the same however often it is asked.

import {
  createApplicationSchemas,
  type Application,
  type ApplicationSchemas,
} from '../../shared/application/application.ts';
import { AppError } from '../app-error.ts';
import type { Config } from '../config.ts';
import { toLead, type LeadSettings } from '../funding-service/lead.ts';
import type { GiveBack } from '../gate/limits.ts';
import type { IsSameApplication, Journal } from '../journal/journal.ts';
import type { ApplicationRow, ConsentRow, NewApplication } from '../journal/records.ts';
import { leadPlace } from '../journal/places.ts';
import { MissingDataKeyError } from '../journal/sealing.ts';
import { toCanonicalJson } from './canonical-json.ts';
import { checkConsents, toConsentRow, type ReadConsent } from './consents.ts';
import type { RouteDependencies } from './dependencies.ts';
import { enrich } from './enrichment.ts';

export interface Submission {
  readonly sessionId: string;
  readonly idempotencyKey: string;
  readonly application: Application;
  /** The applicant's, if known. */
  readonly address: string | undefined;
  /** Throws unless it may be kept; not asked about one that was filed before. To be called back when it is not kept. */
  readonly admit: () => Promise<GiveBack>;
}

export interface SubmitApplication {
  readonly schema: ApplicationSchemas['application'];
  /** The application as it stands after a short wait for the service's answer. */
  submit(submission: Submission): Promise<ApplicationRow>;
}

/** The use case behind `POST /v1/application`, with the schema that this partner's settings make. */
export function createSubmitApplication(dependencies: RouteDependencies): SubmitApplication {
  const { config, journal, sealing, delivery, clock, ids } = dependencies;
  const { settings } = config;
  const leadSettings = toLeadSettings(config);
  const { application: schema } = createApplicationSchemas({
    fundingReasons: settings.fundingReasons.map(({ value }) => value),
    businessTypes: settings.businessTypes.map(({ value }) => value),
    creditScores: settings.creditScores.map(({ value }) => value),
    requiredFields: settings.requiredFields,
    now: () => new Date(clock()),
  });

  async function submit(submission: Submission): Promise<ApplicationRow> {
    const { sessionId, idempotencyKey, application } = submission;
    const canonical = toCanonicalJson(application);
    const isSame = (earlier: ApplicationRow) => canHold(earlier, canonical);
    const earlier = await journal.takeApplicationByKey(sessionId, idempotencyKey, isSame);
    if (earlier) return answerEarlier(earlier, 'same-key', canonical);

    const consents = checkConsents(settings, application.consents);
    checkCampaign(application, config);
    const { kind, application: kept } = await keep(submission, consents, isSame);
    if (kind !== 'added') return answerEarlier(kept, kind, canonical);
    delivery.wake();
    return waitForResult(kept.id);
  }

  async function keep(
    submission: Submission,
    consents: readonly ReadConsent[],
    isSame: IsSameApplication,
  ): ReturnType<Journal['addApplication']> {
    const giveBack = await submission.admit();
    let isKept = false;
    try {
      const { row, consentRows } = await prepare(submission, consents);
      const result = await journal.addApplication(row, consentRows, isSame);
      isKept = result.kind === 'added';
      return result;
    } finally {
      if (!isKept) await giveBack();
    }
  }

  async function prepare(
    { sessionId, idempotencyKey, application, address }: Submission,
    consents: readonly ReadConsent[],
  ): Promise<{ readonly row: NewApplication; readonly consentRows: readonly ConsentRow[] }> {
    const id = ids.createId();
    const receivedAt = clock();
    const { key, seal } = sealing.create(id);
    const at = new Date(receivedAt);
    const context = { id, createdAt: at, signedAt: at, clientAddress: address };
    const enrichment = await enrich(application, id, dependencies);
    const lead = toLead(application, context, leadSettings, enrichment);
    const evidence = {
      applicationId: id,
      seal,
      givenAt: receivedAt,
      address,
      createId: ids.createId,
    };
    return {
      row: {
        id,
        sessionId,
        idempotencyKey,
        fingerprint: seal.fingerprint(toCanonicalJson(application)),
        key,
        sealedLead: seal.seal(leadPlace(id), JSON.stringify(lead)),
        receivedAt,
      },
      consentRows: consents.map((consent) => toConsentRow(consent, evidence)),
    };
  }

  async function answerEarlier(
    earlier: ApplicationRow,
    kind: 'same-key' | 'other-live',
    canonical: string,
  ): Promise<ApplicationRow> {
    if (!holds(earlier, canonical)) {
      throw new AppError(kind === 'same-key' ? 'idempotency-key-reused' : 'application-exists');
    }
    return waitForResult(earlier.id);
  }

  /**
   * The fingerprint is keyed by the earlier application's own key, so it compares across sessions; with that key erased,
   * nobody can say any more what was filed.
   */
  function holds({ id, key, fingerprint, erasedAt }: ApplicationRow, canonical: string): boolean {
    return erasedAt === undefined && sealing.open(id, key).fingerprint(canonical) === fingerprint;
  }

  /** Another session's application whose data key is gone cannot be compared, and must not stand in this one's way. */
  function canHold(earlier: ApplicationRow, canonical: string): boolean {
    try {
      return holds(earlier, canonical);
    } catch (error) {
      if (error instanceof MissingDataKeyError) return false;
      throw error;
    }
  }

  async function waitForResult(id: string): Promise<ApplicationRow> {
    await delivery.waitForResult({ table: 'application', id }, dependencies.answerWaitMs);
    const application = await journal.findApplication(id);
    if (!application) throw new RangeError('An application has vanished from the journal');
    return application;
  }

  return { schema, submit };
}

function checkCampaign({ campaignId }: Application, { settings }: Config): void {
  if (campaignId === undefined || settings.lead.allowedCampaignIds.includes(campaignId)) return;
  throw new AppError('invalid-request', {
    errors: [{ pointer: '/campaignId', code: 'not-in-list' }],
  });
}

function toLeadSettings({ service, settings }: Config): LeadSettings {
  const { leadSource, campaignId, outcomeId, ...formats } = settings.lead;
  return {
    ...formats,
    leadSource: leadSource ?? service.partnerName,
    fields: {
      ...(campaignId === undefined ? {} : { CampaignID: campaignId }),
      ...(outcomeId === undefined ? {} : { OutcomeID: outcomeId }),
    },
  };
}
