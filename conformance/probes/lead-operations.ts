// Probes of Get Pre-Approval Offer, Contact User, and Submit Asset Report.

import { readId, readObject, readText } from '../../bff/funding-service/responses.ts';
import {
  preApprovalOfferSchema,
  preApprovalStatuses,
} from '../../shared/funding-service/pre-approval.ts';
import { createId } from '../../bff/runtime/ids.ts';
import { type Answer, describeAnswer, isAccepted, shorten } from '../answer.ts';
import { type Finding, NotTestable, type Probe } from '../probe.ts';
import type { Session } from '../session.ts';
import { createAssetReport, toUnknownId } from '../test-data.ts';
import { refusal } from './refusals.ts';

const wrong = 'conformance-test-wrong';
const missingHeaders = 'Invalid Request Header. PartnerName or PartnerId parameters are missing.';

type HeaderChanges = Readonly<Record<string, string | undefined>>;

/** The failures that Get Pre-Approval Offer and Contact User have in common. */
function headerProbes(
  operation: 'pre-approval-offer' | 'contact-user',
  name: string,
): readonly Probe[] {
  const send = async (session: Session, headers: HeaderChanges = {}) =>
    session.send(operation, {
      headers: { ApplicationID: session.requireLead().applicationId, ...headers },
    });
  const section = 'Errors';
  return [
    refusal({
      id: `${operation}/application-id-missing`,
      title: `${name} without ApplicationID`,
      section,
      text: 'Missing Application ID',
      need: { kind: 'refused', reasons: ['application-id-missing'] },
      send: async (session) => send(session, { ApplicationID: undefined }),
    }),
    refusal({
      id: `${operation}/application-id-invalid`,
      title: `${name} with an ApplicationID of another form`,
      section,
      ...(operation === 'pre-approval-offer'
        ? {
            text: 'Invalid Application ID',
            need: {
              kind: 'refused',
              reasons: ['application-id-invalid', 'application-not-found'],
            } as const,
          }
        : {}),
      send: async (session) => send(session, { ApplicationID: 'conformance' }),
    }),
    refusal({
      id: `${operation}/application-not-found`,
      title: `${name} with an ApplicationID that belongs to no lead`,
      section,
      text: 'Application not found',
      need: { kind: 'refused', reasons: ['application-not-found', 'application-id-invalid'] },
      send: async (session) =>
        send(session, { ApplicationID: toUnknownId(session.requireLead().applicationId) }),
    }),
    refusal({
      id: `${operation}/authentication-invalid`,
      title: `${name} with an invalid token`,
      section,
      text: 'Invalid username and password',
      need: { kind: 'authentication' },
      send: async (session) => send(session, { Authorization: `Bearer ${wrong}` }),
    }),
    refusal({
      id: `${operation}/partner-headers-missing`,
      title: `${name} without PartnerId and PartnerName`,
      section,
      text: missingHeaders,
      send: async (session) => send(session, { PartnerId: undefined, PartnerName: undefined }),
    }),
    refusal({
      id: `${operation}/partner-headers-invalid`,
      title: `${name} with an unknown PartnerId`,
      section: 'Authentication, 5',
      says: 'The headers must be valid. The failure is not shown.',
      send: async (session) => send(session, { PartnerId: wrong }),
    }),
    refusal({
      id: `${operation}/content-type-invalid`,
      title: `${name} without Content-Type`,
      section: 'Common headers',
      send: async (session) => send(session, { 'Content-Type': undefined }),
    }),
  ];
}

export const preApprovalProbes: readonly Probe[] = [
  {
    id: 'pre-approval-offer/accepted',
    title: 'Get Pre-Approval Offer for the first lead',
    section: 'Endpoints, 3. Get Pre-Approval Offer',
    says: 'IsSuccessful true, ReferenceID with our ID, and a PreApproval_Status: Qualified or Not Qualified.',
    async run(session) {
      const answer = await askForOffers(session);
      const did = describeAnswer(answer, session.mask.secrets);
      if (answer.outcome.kind !== 'accepted') {
        return { verdict: 'differs', did, bff: 'not-handled' };
      }
      const { id } = session.requireLead();
      const { status, offers } = readData(answer);
      const reference = readText(answer.body['ReferenceID']);
      const problems = [
        answer.flag !== true && 'IsSuccessful is not true',
        reference?.toLowerCase() !== id.toLowerCase() && 'another ReferenceID',
        readText(answer.body['pURL']) === undefined && 'no pURL',
        !preApprovalStatuses.some((known) => known === status) &&
          `the status ${shorten(session.mask.secrets(status ?? 'missing'), 60)}`,
        status === 'Not Qualified' && offers.length > 0 && 'offers for an unqualified lead',
      ].filter((problem) => problem !== false);
      const facts = `${did}, ${status ?? 'no status'}, ${offers.length} offers`;
      return problems.length === 0
        ? { verdict: 'as-specified', did: facts, bff: 'handled' }
        : { verdict: 'differs', did: `${facts} (${problems.join(', ')})`, bff: 'handled' };
    },
  },
  ...headerProbes('pre-approval-offer', 'Get Pre-Approval Offer'),
];

/** They come late in the run, because a service may need a while to create offers. */
export const offerProbes: readonly Probe[] = [
  {
    id: 'pre-approval-offer/offer-fields',
    title: 'The 15 fields of an offer',
    section: 'Resources, Pre-approval data',
    says: 'Every offer has these fields, with text or a number.',
    async run(session) {
      const offers = await waitForOffers(session);
      const problems = new Set<string>();
      for (const offer of offers) {
        const parsed = preApprovalOfferSchema.safeParse(offer);
        for (const issue of parsed.error?.issues ?? []) problems.add(issue.path.join('.'));
      }
      const names = Object.keys(preApprovalOfferSchema.shape);
      const others = new Set(
        offers.flatMap((offer) => Object.keys(offer).filter((name) => !names.includes(name))),
      );
      const did = `${offers.length} offers${others.size > 0 ? `, also with ${[...others].slice(0, 10).join(', ')}` : ''}`;
      return problems.size === 0
        ? { verdict: 'as-specified', did, bff: 'handled' }
        : {
            verdict: 'differs',
            did: `${did} (absent or of another type: ${[...problems].join(', ')})`,
            advice: 'The element leaves out figures that it cannot read.',
          };
    },
  },
  ...(['Product', 'Payment_Frequency'] as const).map((field): Probe => ({
    id: `pre-approval-offer/values-${field}`,
    title: `${field} of the offers`,
    section: 'Endpoints, 3. Get Pre-Approval Offer',
    says: `Allowed values of ${field}: not shown.`,
    async run(session) {
      const offers = await waitForOffers(session);
      const values = new Set(offers.map((offer) => readText(offer[field]) ?? 'absent'));
      return {
        verdict: 'known-now',
        did: session.mask.secrets([...values].map((value) => shorten(value, 60)).join('; ')),
      };
    },
  })),
];

export const contactUserProbes: readonly Probe[] = [
  {
    id: 'contact-user/accepted',
    title: 'Contact User for a lead that allows contact',
    section: 'Endpoints, 4. Contact User',
    says: 'IsSuccessful true, and a text that the application was updated. Not shown for a lead without the mark Do Not Contact.',
    run: contactUser,
  },
  {
    id: 'contact-user/repeated',
    title: 'Contact User again',
    section: 'Endpoints, 4. Contact User',
    says: 'Idempotent: repeated calls on the same lead are safe.',
    run: contactUser,
  },
  ...headerProbes('contact-user', 'Contact User'),
];

async function contactUser(session: Session): Promise<Finding> {
  const { applicationId } = session.requireLead();
  const answer = await session.callWithClient('contact-user', { applicationId }, async (client) =>
    client.contactUser(applicationId),
  );
  const did = describeAnswer(answer, session.mask.secrets);
  if (answer.outcome.kind !== 'accepted') return { verdict: 'differs', did, bff: 'not-handled' };
  return /updated?/i.test(answer.message)
    ? { verdict: 'as-specified', did, bff: 'handled' }
    : { verdict: 'differs', did: `${did} (another text)`, bff: 'handled' };
}

const maxOfferCalls = 5;
const offerDelayMs = 6_000;

async function askForOffers(session: Session): Promise<Answer> {
  const { applicationId } = session.requireLead();
  return session.callWithClient('pre-approval-offer', { ApplicationID: applicationId }, (client) =>
    client.getPreApprovalOffer(applicationId),
  );
}

type Offers = readonly Readonly<Record<string, unknown>>[];

function readData({ body }: Answer): {
  readonly status: string | undefined;
  readonly offers: Offers;
} {
  const data = readObject(body['PreApproval_Data']);
  const list = data?.['PreApproval_Offers'];
  const offers = Array.isArray(list) ? list.map((offer: unknown) => readObject(offer) ?? {}) : [];
  return { status: readText(data?.['PreApproval_Status']), offers };
}

/** Once for all probes of offers. */
const found = new WeakMap<Session, Offers>();

async function waitForOffers(session: Session): Promise<Offers> {
  let offers: Offers = found.get(session) ?? [];
  for (
    let call = 0;
    call < maxOfferCalls && offers.length === 0 && !found.has(session);
    call += 1
  ) {
    if (call > 0) await session.sleep(offerDelayMs);
    offers = readData(await askForOffers(session)).offers;
  }
  found.set(session, offers);
  if (offers.length > 0) return offers;
  throw new NotTestable(
    'The test lead has no offers. The service may need longer (add --resume later), or its operator has not enabled offers for you. Ask.',
  );
}

/** An aggregation provider's name is part of the path. Without it, every request would have a wrong address. */
function requireAggregator(session: Session): void {
  if (session.environment === 'sandbox' || session.settings.aggregatorName !== 'Aggregator') return;
  throw new NotTestable(
    'The setting aggregatorName is not set, and it is part of the address. Ask the funding service for the name of its aggregation provider.',
  );
}

async function sendReport(
  session: Session,
  body: Readonly<Record<string, unknown>> | string,
  headers: HeaderChanges = {},
): Promise<Answer> {
  requireAggregator(session);
  const answer = await session.send('asset-report', { body, headers });
  recordReport(answer, session);
  return answer;
}

function recordReport(answer: Answer, session: Session): void {
  const assetReportId = readId(answer.body['assetReportId']);
  const { applicationId } = session.requireLead();
  if (assetReportId !== undefined)
    session.facts.assetReports.push({ assetReportId, applicationId });
}

const reportSection = 'Endpoints, 5. Submit Asset Report';

export const assetReportProbes: readonly Probe[] = [
  {
    id: 'asset-report/accepted',
    title: 'A complete asset report, without partner headers',
    section: reportSection,
    says: 'success true, a message, and an assetReportId. The aggregation provider’s name in the path is not shown.',
    async run(session) {
      requireAggregator(session);
      const { applicationId } = session.requireLead();
      const report = createAssetReport('conformance-test-report', new Date(session.clock()));
      const answer = await session.callWithClient('asset-report', { applicationId }, (client) =>
        client.submitAssetReport(applicationId, JSON.stringify(report)),
      );
      recordReport(answer, session);
      const did = describeAnswer(answer, session.mask.secrets);
      if (answer.outcome.kind === 'accepted') {
        return { verdict: 'as-specified', did, bff: 'handled' };
      }
      const isUnknownPath = [404, 405].includes(answer.response.status);
      return {
        verdict: 'differs',
        did,
        bff: 'not-handled',
        ...(isUnknownPath
          ? {
              advice: `No operation has this address. Ask the funding service for its aggregation provider’s name: aggregatorName is ${session.settings.aggregatorName}.`,
            }
          : {}),
      };
    },
  },
  {
    id: 'asset-report/repeated',
    title: 'The same asset report twice',
    section: 'Resources, Asset report record',
    says: 'Creates a separate record.',
    async run(session) {
      const body = toReportBody(session);
      const ids = [];
      for (let call = 0; call < 2; call += 1) {
        const answer = await sendReport(session, body);
        ids.push(readId(answer.body['assetReportId']));
        if (!isAccepted(answer)) {
          return { verdict: 'differs', did: describeAnswer(answer, session.mask.secrets) };
        }
      }
      return ids[0] === ids[1]
        ? { verdict: 'differs', did: 'The same assetReportId twice' }
        : { verdict: 'as-specified', did: 'Two records' };
    },
  },
  refusal({
    id: 'asset-report/application-id-missing',
    title: 'An asset report without applicationId',
    section: 'Errors',
    text: 'applicationId is required',
    send: async (session) =>
      sendReport(session, { ...toReportBody(session), applicationId: undefined }),
  }),
  refusal({
    id: 'asset-report/report-missing',
    title: 'Submit Asset Report without assetReportJson',
    section: 'Errors',
    text: 'assetReportJson is required',
    send: async (session) =>
      sendReport(session, { applicationId: session.requireLead().applicationId }),
  }),
  refusal({
    id: 'asset-report/application-not-found',
    title: 'An asset report for a lead that does not exist',
    section: 'Errors',
    text: (session) => `Application not found: ${toUnknownId(session.requireLead().applicationId)}`,
    need: { kind: 'refused', reasons: ['application-not-found', 'application-id-invalid'] },
    send: async (session) =>
      sendReport(session, {
        ...toReportBody(session),
        applicationId: toUnknownId(session.requireLead().applicationId),
      }),
  }),
  refusal({
    id: 'asset-report/report-invalid',
    title: 'An asset report without report data',
    section: 'Errors',
    text: 'Invalid Asset Report JSON - missing report data',
    need: { kind: 'refused', reasons: ['asset-report-invalid'] },
    send: async (session) => sendReport(session, { ...toReportBody(session), assetReportJson: {} }),
  }),
  refusal({
    id: 'asset-report/malformed-json',
    title: 'Half of an asset report',
    section: 'Errors',
    text: 'Invalid Asset Report JSON - missing report data',
    async send(session) {
      const text = JSON.stringify(toReportBody(session));
      return sendReport(session, text.slice(0, text.length / 2));
    },
  }),
  refusal({
    id: 'asset-report/authentication-invalid',
    title: 'An asset report with an invalid token',
    section: 'Errors',
    need: { kind: 'authentication', list: 'invalidToken' },
    send: async (session) =>
      sendReport(session, toReportBody(session), { Authorization: `Bearer ${wrong}` }),
  }),
  refusal({
    id: 'asset-report/content-type-invalid',
    title: 'An asset report as text/plain',
    section: 'Common headers',
    send: async (session) =>
      sendReport(session, toReportBody(session), { 'Content-Type': 'text/plain' }),
  }),
  {
    id: 'asset-report/processing-failed',
    title: 'An asset report that the service fails to process',
    section: 'Errors',
    says: 'Fails with “Asset report submission failed”.',
    run: async () => {
      throw new NotTestable('No request makes the service fail.');
    },
  },
];

function toReportBody(session: Session): Readonly<Record<string, unknown>> {
  const now = new Date(session.clock());
  return {
    applicationId: session.requireLead().applicationId,
    assetReportJson: createAssetReport(`conformance-test-${createId(session.clock())}`, now),
  };
}
