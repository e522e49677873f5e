// `show`: shows everything about one application that is not personal.

import { toShortReference } from '../../shared/api/short-reference.ts';
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
  onApplication,
  readReference,
  type StoreContext,
  toReferenceText,
} from './command.ts';
import { omitEmpty, toCount, toSection, toTable, toTime, toTimeAndAge } from './format.ts';

export const show: Command = {
  name: 'show',
  parameters: '<reference> [--consents]',
  summary: 'shows one application, without personal data',
  about: [
    'Shows the state, times, and attempts of an application, and its consents, documents, bank reports, and contact requests. It does not show the applicant’s answers, file names, or the tracking URL.',
  ],
  options: {
    consents: {
      type: 'boolean',
      about:
        'shows only the consents: the exact text that the applicant saw, with its version, language, time, and SHA-256.',
    },
  },
  guide: 'operate/applications.md',
  async run(call, io) {
    const showIt = call.options['consents'] === true ? showConsents : showApplication;
    return onApplication(readReference(call), io, showIt);
  },
};

async function showApplication(application: ApplicationRow, { store, clock }: StoreContext) {
  const { id } = application;
  const consents = await store.listConsents(id);
  const attachments = await Promise.all(
    attachmentKinds.map((kind) => store.listAttachments(id, kind)),
  );
  const now = clock();
  return {
    json: {
      ...toApplicationJson(application),
      consents: consents.map(toConsentJson),
      attachments: attachments.flat().map(toAttachmentJson),
    },
    text: [
      `Application ${toReferenceText(id)}`,
      toApplicationText(application, now),
      toSection('Consents', consents.map(toConsentText)),
      ...attachmentKinds.map((kind, index) => {
        const rows = attachments[index] ?? [];
        const lines = rows.map((attachment) => toAttachmentText(attachment, now));
        return toSection(headings[kind], lines);
      }),
    ].join('\n\n'),
  };
}

async function showConsents({ id }: ApplicationRow, { store }: StoreContext) {
  const consents = await store.listConsents(id);
  return {
    json: {
      reference: id,
      shortReference: toShortReference(id),
      consents: consents.map((consent) => ({ ...toConsentJson(consent), text: consent.text })),
    },
    text: [`Application ${toReferenceText(id)}`, ...consents.map(toEvidenceText)].join('\n\n'),
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
function mayBeDuplicate({ kind, state, uncertainAttempts }: AttachmentRow): boolean {
  return kind !== 'contact' && state === 'accepted' && uncertainAttempts > 0;
}

function toApplicationJson(row: ApplicationRow): object {
  const { id, state, receivedAt, finishedAt, erasedAt, serviceId, key, errors } = row;
  const times = { receivedAt, finishedAt, erasedAt };
  const ids = { applicationId: serviceId, dataKeyId: key.keyId };
  const references = { reference: id, shortReference: toShortReference(id) };
  return { ...references, state, ...times, ...toProgressJson(row), ...ids, rejectedFields: errors };
}

function toAttachmentJson(row: AttachmentRow): object {
  const { kind, number, bytes, state, createdAt, finishedAt } = row;
  // Empty for a contact request.
  const texts = { category: row.category || undefined, serviceId: row.serviceId || undefined };
  const progress = { state, createdAt, finishedAt, ...toProgressJson(row) };
  return { kind, number, bytes, ...progress, ...texts, isPossibleDuplicate: mayBeDuplicate(row) };
}

function toProgressJson(row: DeliveryProgress): object {
  const { attempts, uncertainAttempts, interruptions, firstAttemptAt, lastOutcome, heldReason } =
    row;
  return { attempts, uncertainAttempts, interruptions, firstAttemptAt, lastOutcome, heldReason };
}

function toConsentJson({ consentId, version, locale, givenAt, textHash }: ConsentRow): object {
  return { id: consentId, version, locale, givenAt, textSha256: textHash };
}

const headings: Readonly<Record<AttachmentKind, string>> = {
  document: 'Documents',
  'bank-report': 'Bank reports',
  contact: 'Contact requests',
};

function toApplicationText(row: ApplicationRow, now: number): string {
  const toMoment = (at: number | undefined) => (at === undefined ? '-' : toTimeAndAge(at, now));
  return toTable([
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
  ]);
}

function toAttempts({ attempts, uncertainAttempts, interruptions }: DeliveryProgress): string {
  return omitEmpty([
    String(attempts),
    uncertainAttempts > 0 && `${uncertainAttempts} of them uncertain`,
    interruptions > 0 && `the last ${interruptions} interrupted`,
  ]).join(', ');
}

function toConsentText({ consentId, version, givenAt, textHash }: ConsentRow): string {
  return `${consentId}  ${version}  ${toTime(givenAt)}\n  SHA-256 ${textHash}`;
}

/** The funding service returns no id for a contact request. */
const serviceIdNames = { document: 'DocumentId', 'bank-report': 'assetReportId' } as const;

function toAttachmentText(row: AttachmentRow, now: number): string {
  const { kind, number, category, bytes, state, heldReason, lastOutcome, finishedAt } = row;
  const facts = omitEmpty([
    category,
    kind !== 'contact' && toCount(bytes, 'byte'),
    // An erased row keeps its reason, which no longer applies.
    state === 'held' ? `${state}: ${heldReason ?? 'unknown'}` : state,
  ]);
  const details = omitEmpty([
    `received ${toTimeAndAge(row.createdAt, now)}`,
    `attempts ${toAttempts(row)}`,
    lastOutcome !== undefined && `last outcome ${lastOutcome}`,
    finishedAt !== undefined && `finished ${toTimeAndAge(finishedAt, now)}`,
    kind !== 'contact' && row.serviceId && `${serviceIdNames[kind]} ${row.serviceId}`,
    mayBeDuplicate(row) && 'possible duplicate: an earlier copy may have arrived',
  ]);
  return [`${number}  ${facts.join('  ')}`, ...details.map((line) => `   ${line}`)].join('\n');
}
