// `show`: shows everything about one application that is not personal.

import {
  type ApplicationRow,
  type AttachmentKind,
  attachmentKinds,
  type AttachmentRow,
  type ConsentRow,
  type DeliveryProgress,
} from '../store/store.ts';
import {
  type Command,
  type CommandReport,
  findApplication,
  onStore,
  readReference,
  type StoreContext,
} from './command.ts';
import { toCount, toJsonTime, toSection, toTable, toTime, toTimeAndAge } from './format.ts';

export const show: Command = {
  name: 'show',
  parameters: '<reference> [--consents]',
  summary: 'shows one application, without personal data',
  help: `Shows the state, times, and attempts of an application, and its consents,
documents, bank reports, and contact requests. It does not show the applicant's
answers, file names, or the tracking URL.

--consents  shows only the consents: the exact text that the applicant saw, with
            its version, language, time, and SHA-256`,
  options: { consents: { type: 'boolean' } },
  async run(call, io) {
    const reference = readReference(call);
    const showIt = call.options['consents'] === true ? showConsents : showApplication;
    return onStore(io, (context) => showIt(reference, context));
  },
};

interface Found {
  readonly application: ApplicationRow;
  readonly consents: readonly ConsentRow[];
  readonly attachments: readonly AttachmentRow[];
}

async function showApplication(
  reference: string,
  { store, clock }: StoreContext,
): Promise<CommandReport> {
  const application = await findApplication(reference, store);
  const consents = await store.listConsents(reference);
  const attachments = await Promise.all(
    attachmentKinds.map((kind) => store.listAttachments(reference, kind)),
  );
  const found = { application, consents, attachments: attachments.flat() };
  return { json: toJson(found), text: toText(found, clock()) };
}

async function showConsents(reference: string, { store }: StoreContext): Promise<CommandReport> {
  await findApplication(reference, store);
  const consents = await store.listConsents(reference);
  return {
    json: {
      reference,
      consents: consents.map((consent) => ({ ...toConsentJson(consent), text: consent.text })),
    },
    text: [`Application ${reference}`, ...consents.map(toEvidenceText)].join('\n\n'),
  };
}

/** Prints the text unchanged between two lines, because the hash covers exactly this text. */
function toEvidenceText(consent: ConsentRow): string {
  const { consentId, version, locale, givenAt, textHash, text } = consent;
  const facts = [
    ['consent', consentId],
    ['version', version],
    ['language', locale ?? 'not recorded'],
    ['given', new Date(givenAt).toISOString()],
    ['SHA-256', textHash],
  ];
  return `${toTable(facts)}\n${fence}\n${text}\n${fence}`;
}

const fence = '-'.repeat(80);

/** An earlier uncertain attempt may also have delivered a copy. */
function isPossibleDuplicate({ kind, state, uncertainAttempts }: AttachmentRow): boolean {
  return kind !== 'contact' && state === 'accepted' && uncertainAttempts > 0;
}

function toJson({ application, consents, attachments }: Found): object {
  return {
    reference: application.id,
    state: application.state,
    receivedAt: toJsonTime(application.receivedAt),
    finishedAt: toJsonTime(application.finishedAt),
    erasedAt: toJsonTime(application.erasedAt),
    ...toProgressJson(application),
    applicationId: application.serviceId,
    dataKeyId: application.key.keyId,
    refusedFields: application.errors,
    consents: consents.map(toConsentJson),
    attachments: attachments.map((attachment) => ({
      kind: attachment.kind,
      number: attachment.number,
      category: attachment.category || undefined,
      bytes: attachment.bytes,
      state: attachment.state,
      createdAt: toJsonTime(attachment.createdAt),
      finishedAt: toJsonTime(attachment.finishedAt),
      ...toProgressJson(attachment),
      // Empty for a contact request.
      serviceId: attachment.serviceId || undefined,
      isPossibleDuplicate: isPossibleDuplicate(attachment),
    })),
  };
}

function toConsentJson({ consentId, version, locale, givenAt, textHash }: ConsentRow): object {
  return {
    id: consentId,
    version,
    locale,
    givenAt: toJsonTime(givenAt),
    textSha256: textHash,
  };
}

function toProgressJson(row: DeliveryProgress): object {
  const { attempts, uncertainAttempts, interruptions, lastOutcome, heldReason } = row;
  const firstAttemptAt = toJsonTime(row.firstAttemptAt);
  return { attempts, uncertainAttempts, interruptions, firstAttemptAt, lastOutcome, heldReason };
}

function toText({ application, consents, attachments }: Found, now: number): string {
  return [
    `Application ${application.id}`,
    toTable(listApplicationLines(application, now)),
    toSection('Consents', orNone(consents.map(toConsentText))),
    ...attachmentKinds.map((kind) => {
      const lines = attachments
        .filter((attachment) => attachment.kind === kind)
        .map((attachment) => toAttachmentText(attachment, now));
      return toSection(headings[kind], orNone(lines));
    }),
  ].join('\n\n');
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ['none'] : lines;
}

const headings: Readonly<Record<AttachmentKind, string>> = {
  document: 'Documents',
  'bank-report': 'Bank reports',
  contact: 'Contact requests',
};

const serviceIdNames: Readonly<Record<Exclude<AttachmentKind, 'contact'>, string>> = {
  document: 'DocumentId',
  'bank-report': 'assetReportId',
};

function listApplicationLines(row: ApplicationRow, now: number): readonly (readonly string[])[] {
  const toMoment = (at: number | undefined) => (at === undefined ? '-' : toTimeAndAge(at, now));
  return [
    ['state', row.state],
    ['received', toMoment(row.receivedAt)],
    ['first attempt', toMoment(row.firstAttemptAt)],
    ['attempts', toAttempts(row)],
    ['last outcome', row.lastOutcome ?? '-'],
    ['held reason', row.heldReason ?? '-'],
    ['ApplicationID', row.serviceId ?? '-'],
    ['finished', toMoment(row.finishedAt)],
    ['erased', toMoment(row.erasedAt)],
    ['data key', row.key.keyId],
    ...row.errors.map(({ pointer, code }) => ['rejected field', `${pointer} (${code})`]),
  ];
}

function toAttempts({ attempts, uncertainAttempts, interruptions }: DeliveryProgress): string {
  return [
    String(attempts),
    ...(uncertainAttempts > 0 ? [`${uncertainAttempts} of them uncertain`] : []),
    ...(interruptions > 0 ? [`the last ${interruptions} interrupted`] : []),
  ].join(', ');
}

function toConsentText({ consentId, version, givenAt, textHash }: ConsentRow): string {
  return `${consentId}  ${version}  ${toTime(givenAt)}\n  SHA-256 ${textHash}`;
}

function toAttachmentText(attachment: AttachmentRow, now: number): string {
  const { kind, number, category, bytes, state, heldReason, createdAt, finishedAt } = attachment;
  const facts = [
    ...(category === '' ? [] : [category]),
    ...(kind === 'contact' ? [] : [toCount(bytes, 'byte')]),
    // An erased row keeps its reason, which no longer applies.
    state === 'held' ? `${state}: ${heldReason ?? 'unknown'}` : state,
  ];
  const details = [
    `received ${toTimeAndAge(createdAt, now)}`,
    `attempts ${toAttempts(attachment)}`,
    ...(attachment.lastOutcome === undefined ? [] : [`last outcome ${attachment.lastOutcome}`]),
    ...(finishedAt === undefined ? [] : [`finished ${toTimeAndAge(finishedAt, now)}`]),
    ...toServiceId(attachment),
    ...(isPossibleDuplicate(attachment)
      ? ['possible duplicate: an earlier copy may have arrived']
      : []),
  ];
  return [`${number}  ${facts.join('  ')}`, ...details.map((line) => `   ${line}`)].join('\n');
}

/** The funding service returns no id for a contact request. */
function toServiceId({ kind, serviceId }: AttachmentRow): readonly string[] {
  return kind === 'contact' || serviceId === undefined
    ? []
    : [`${serviceIdNames[kind]} ${serviceId}`];
}
