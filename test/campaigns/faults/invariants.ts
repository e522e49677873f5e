// Compares the history of the applicants, the data of the funding service, and the rows of the store, and reports every
// violated invariant.

import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import type { ApplicationRow, AttachmentKind, AttachmentRow } from '../../../bff/store/store.ts';
import { groupBy } from '../../support/group-by.ts';
import type { ArrivedEvent } from './event-receiver.ts';
import type { Action, ClientCall, History } from './history.ts';
import type { Ledger, LedgerAttachment } from './recorded-service.ts';
import type { FinalStore, Transition } from './storage.ts';

/**
 * - `I1` Every acknowledged application is at the funding service exactly once, or in a state that is reported to the operator.
 *   The same holds for its attachments.
 * - `I2` No ID is accepted twice or sent with two bodies. No applicant has two IDs.
 * - `I3` No rejected application is at the funding service.
 * - `I4` The funding service has at most one more copy of a document or bank report than attempts with an unknown outcome.
 * - `I5` Attachments are sent only with the ApplicationID of their own application.
 * - `I6` Nothing is sent after it was erased.
 * - `I7` States follow the diagram, and a claim that was taken over writes nothing.
 * - `I8` An idempotency key always gets the same response.
 * - `I9` The receiver of webhooks gets each event at least once, the same each time, in the order of the application, and learns the
 *   final state of each application and attachment.
 */
export const invariants = ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9'] as const;
export type Invariant = (typeof invariants)[number];

export interface Violation {
  readonly invariant: Invariant;
  /** Description of the violation, with the reference or the applicant. */
  readonly description: string;
}

export interface Evidence extends FinalStore {
  readonly history: History;
  readonly ledger: Ledger;
  /** References of the rows that the store reports to the operator. */
  readonly alarms: ReadonlySet<string>;
  /** Events that a receiver of webhooks took. `undefined`: there was none. */
  readonly events?: readonly ArrivedEvent[] | undefined;
}

/** Returns an empty list when no invariant is violated. Call it when no delivery is in progress. */
export function findViolations(evidence: Evidence): readonly Violation[] {
  return [
    ...findLostApplications(evidence),
    ...findLostAttachments(evidence),
    ...findDuplicates(evidence),
    ...findFalseRejections(evidence),
    ...findExcessCopies(evidence),
    ...findMisdirected(evidence),
    ...findSentAfterErasure(evidence),
    ...findIllegalTransitions(evidence),
    ...findChangedResponses(evidence),
    ...findWrongEvents(evidence),
  ];
}

/** I1 */
export function findLostApplications(evidence: Evidence): Violation[] {
  const { applications, history } = evidence;
  const rows = new Map(applications.map((row) => [row.id, row]));
  const leads = groupBy(evidence.ledger.leads, (lead) => lead.reference);
  const applicationCalls = history.calls.filter(
    ({ action }) => action === 'submit' || action === 'poll',
  );
  const violations: Violation[] = [];
  for (const [reference, calls] of groupBy(applicationCalls, (call) => call.reference)) {
    if (reference === undefined || !calls.some(({ outcome }) => outcome === 'ok')) continue;
    const count = leads.get(reference)?.length ?? 0;
    const description = describeLoss(reference, rows.get(reference), count, evidence);
    if (description)
      violations.push({
        invariant: 'I1',
        description: `${reference} was acknowledged and ${description}`,
      });
  }
  return violations;
}

function describeLoss(
  reference: string,
  row: ApplicationRow | undefined,
  leads: number,
  { history, alarms }: Evidence,
): string | undefined {
  switch (row?.state) {
    case undefined:
      return 'is not in the store';
    case 'accepted':
      return leads === 1 ? undefined : `is accepted, but ${leads} times at the service`;
    case 'rejected':
      // I3 checks whether the rejection is true.
      return undefined;
    case 'unconfirmed':
    case 'held':
      return alarms.has(reference)
        ? undefined
        : `is ${row.state}, and is not reported to the operator`;
    case 'erased':
      return history.erasures.some((erasure) => erasure.reference === reference)
        ? undefined
        : 'was erased without an order';
    case 'received':
    case 'sending':
    case 'waiting':
      return `is still ${row.state}`;
  }
}

/** I2 */
export function findDuplicates({ ledger, applications }: Evidence): Violation[] {
  const rows = new Map(applications.map((row) => [row.id, row]));
  const sent = ledger.calls.filter(({ operation }) => operation === 'create-lead');
  const violations: Violation[] = [];
  const add = (description: string) => violations.push({ invariant: 'I2', description });

  for (const [reference, leads] of groupBy(ledger.leads, (lead) => lead.reference)) {
    if (leads.length > 1) add(`${reference} was accepted ${leads.length} times`);
  }
  for (const [applicant, leads] of groupBy(ledger.leads, (lead) => lead.applicant)) {
    if (leads.length > 1) add(`${applicant} has ${leads.length} leads`);
  }
  for (const [applicant, calls] of groupBy(sent, (call) => call.applicant)) {
    const ids = new Set(calls.map(({ reference }) => reference ?? 'none'));
    // An applicant may apply again after a rejection or an erasure.
    const live = [...ids].filter(
      (id) => !['rejected', 'erased'].includes(rows.get(id)?.state ?? ''),
    );
    if (live.length > 1) add(`${applicant} was sent under ${live.join(' and ')}`);
  }
  for (const [reference = 'none', calls] of groupBy(sent, (call) => call.reference)) {
    const bodies = new Set(calls.map(({ content }) => content)).size;
    if (bodies > 1) add(`${reference} was sent with ${bodies} bodies`);
    // After a 401, the same attempt renews the token and calls again.
    const sends = calls.filter(({ status }) => status !== 401).length;
    const attempts = rows.get(reference)?.attempts ?? 0;
    if (sends > attempts) add(`${reference} was sent ${sends} times in ${attempts} attempts`);
  }
  return violations;
}

/** I3 */
export function findFalseRejections({ ledger, applications, history }: Evidence): Violation[] {
  const ids = new Set(ledger.leads.map(({ reference }) => reference));
  const applicants = new Set(ledger.leads.map(({ applicant }) => applicant));
  const rows = applications
    .filter(({ id, state }) => state === 'rejected' && ids.has(id))
    .map(({ id }) => `${id} is rejected in the store and exists at the service`);
  const reports = history.calls
    .filter(
      ({ responseStatus, applicant }) => isRejected(responseStatus) && applicants.has(applicant),
    )
    .map(({ applicant }) => `${applicant} was told rejected and exists at the service`);
  return [...rows, ...new Set(reports)].map((description) => ({
    invariant: 'I3',
    description,
  }));
}

function isRejected(responseStatus: string | undefined): boolean {
  return responseStatus === 'rejected' || responseStatus === 'application-rejected';
}

/** I8 */
export function findChangedResponses({ history }: Evidence): Violation[] {
  const submissions = history.calls.filter(({ action }) => action === 'submit');
  const violations: Violation[] = [];
  const add = (description: string) => violations.push({ invariant: 'I8', description });

  for (const [key = 'none', calls] of groupBy(submissions, (call) => call.key)) {
    const taken = calls.filter(({ outcome }) => outcome === 'ok');
    const references = new Set(taken.map(({ reference }) => reference));
    if (references.size > 1) add(`key ${key} got the references ${[...references].join(' and ')}`);
    const bodies = new Set(taken.map(({ content }) => content));
    if (bodies.size > 1) add(`key ${key} was accepted with ${bodies.size} bodies`);
    const refusal = taken[0] && calls.find((call) => isRefusedLater(call, taken[0]!));
    if (refusal) add(`key ${key} was accepted and then refused with ${refusal.responseStatus}`);
  }
  const callsWithReference = history.calls.filter(({ reference }) => reference !== undefined);
  for (const [reference, calls] of groupBy(callsWithReference, (call) => call.reference)) {
    const accepted = calls.find(({ responseStatus }) => responseStatus === 'accepted');
    const later =
      accepted &&
      calls.find((call) => call.invokedAt > accepted.endedAt && call.responseStatus !== 'accepted');
    if (later) add(`${reference} was told accepted and then ${later.responseStatus}`);
  }
  return violations;
}

/** These codes say nothing about the application. */
const unrelated: ReadonlySet<string | undefined> = new Set([
  'session-missing',
  'rate-limited',
  'application-rejected',
]);

function isRefusedLater(call: ClientCall, first: ClientCall): boolean {
  return (
    call.outcome === 'fail' &&
    call.invokedAt > first.endedAt &&
    call.content === first.content &&
    !unrelated.has(call.responseStatus)
  );
}

interface Kind {
  readonly kind: AttachmentKind;
  readonly action: Action;
  readonly operation: PartnerOperation;
}

const kinds: readonly Kind[] = [
  { kind: 'document', action: 'upload', operation: 'upload-file' },
  { kind: 'bank-report', action: 'report', operation: 'asset-report' },
  { kind: 'contact', action: 'contact', operation: 'contact-user' },
];

/** I1: an attachment that is not at the funding service is in the store, in a state that is reported to the operator. */
export function findLostAttachments(evidence: Evidence): Violation[] {
  const { history, ledger, applications, attachments } = evidence;
  const leads = groupBy(ledger.leads, ({ applicant }) => applicant);
  const delivered = groupBy(ledger.attachments, ({ applicationId }) => applicationId);
  const rows = new Map(applications.map((row) => [row.id, row]));
  const parts = groupBy(attachments, ({ applicationId }) => applicationId);
  const contacted = new Set(
    ledger.calls
      .filter(({ operation }) => operation === 'contact-user')
      .map(({ applicationId }) => applicationId),
  );

  function countMissing({ kind }: Kind, applicant: string, calls: readonly ClientCall[]): number {
    const ids = (leads.get(applicant) ?? []).map(({ applicationId }) => applicationId);
    if (kind === 'contact') return ids.some((id) => contacted.has(id)) ? 0 : 1;
    const there = new Set(
      ids.flatMap((id) => delivered.get(id) ?? []).map(({ content }) => content),
    );
    const given = new Set(calls.map(({ content }) => content ?? ''));
    return [...given].filter((content) => !there.has(content)).length;
  }

  function countOpen({ kind }: Kind, references: ReadonlySet<string | undefined>): number {
    return [...references].reduce((sum, reference = '') => {
      const parent = rows.get(reference);
      const open = (parts.get(reference) ?? []).filter(
        (attachment) =>
          attachment.kind === kind && parent && isExplained(attachment, parent, evidence),
      );
      return sum + open.length;
    }, 0);
  }

  return [...groupBy(history.calls, ({ applicant }) => applicant)].flatMap(([applicant, calls]) =>
    kinds.flatMap((kind) => {
      const given = calls.filter(
        ({ action, outcome }) => action === kind.action && outcome === 'ok',
      );
      if (given.length === 0) return [];
      const missing = countMissing(kind, applicant, given);
      const open = countOpen(kind, new Set(calls.map(({ reference }) => reference)));
      if (missing <= open) return [];
      const description = `${applicant}: ${missing} acknowledged of kind ${kind.kind} are not at the service, ${open} are explained`;
      return [{ invariant: 'I1' as const, description }];
    }),
  );
}

/** An attachment may be missing when it or its application is reported to the operator, or when the application ended. */
function isExplained(
  { state }: AttachmentRow,
  parent: ApplicationRow,
  { alarms }: Evidence,
): boolean {
  if (state === 'accepted') return false;
  if (parent.state === 'rejected' || parent.erasedAt !== undefined) return true;
  return (state === 'held' || parent.state !== 'accepted') && alarms.has(parent.id);
}

/** Each repeated send of these may create another copy, so delivery stops after `maxSends` and holds the row. */
const repeated: ReadonlySet<PartnerOperation> = new Set<PartnerOperation>([
  'asset-report',
  'upload-file',
]);
const maxSends = 3;

/** I4 */
export function findExcessCopies({ attachments, applications, ledger }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const add = (description: string) => violations.push({ invariant: 'I4', description });
  const delivered = groupBy(ledger.attachments, ({ applicationId }) => applicationId);
  const parts = groupBy(attachments, ({ applicationId }) => applicationId);
  const sent = groupBy(
    ledger.calls.filter(({ operation, status }) => repeated.has(operation) && status !== 401),
    ({ applicationId = '' }) => applicationId,
  );

  for (const { id, serviceId = '' } of applications) {
    const copies = delivered.get(serviceId) ?? [];
    const rows = parts.get(id) ?? [];
    for (const row of rows) {
      const count = countCopies(row, copies);
      if (count > 1 + row.uncertainAttempts) {
        add(`${row.id} is at the service ${count} times after ${row.uncertainAttempts} in doubt`);
      }
    }
    for (const { kind } of kinds) {
      const explained = rows
        .filter((row) => row.kind === kind)
        .reduce((sum, row) => sum + toExplainedCopies(row), 0);
      const count = copies.filter((copy) => copy.kind === kind).length;
      if (count > explained) add(`${id} has ${count} of kind ${kind}, ${explained} are explained`);
    }
    const cleared = rows.reduce((sum, { clearedAttempts }) => sum + clearedAttempts, 0);
    for (const [content, sends] of groupBy(sent.get(serviceId) ?? [], (call) => call.content)) {
      const allowed = maxSends + cleared;
      if (sends.length > allowed) add(`${id}: ${content} was sent ${sends.length} times`);
    }
  }
  return violations;
}

/** Counts the copies with the same content as the accepted copy of this row. */
function countCopies({ serviceId }: AttachmentRow, copies: readonly LedgerAttachment[]): number {
  const own = copies.find((copy) => copy.serviceId === serviceId);
  return own ? copies.filter(({ content }) => content === own.content).length : 0;
}

/** An attempt that was in progress at the end may have created a copy as well. */
function toExplainedCopies({ state, uncertainAttempts }: AttachmentRow): number {
  return uncertainAttempts + Number(state === 'accepted' || state === 'sending');
}

/** I5: compares content, which no two applicants share. */
export function findMisdirected({ history, ledger }: Evidence): Violation[] {
  const leads = new Map(ledger.leads.map((lead) => [lead.applicationId, lead.applicant]));
  return kinds.flatMap(({ kind, operation, action }) => {
    const given = history.calls.filter((call) => call.action === action);
    const submitters = groupBy(given, ({ content = '' }) => content);
    const asking = new Set(given.map(({ applicant }) => applicant));
    const isRight = (target: string, content: string) =>
      kind === 'contact'
        ? asking.has(target)
        : submitters.get(content)?.some(({ applicant }) => applicant === target);
    return ledger.calls
      .filter((call) => call.operation === operation)
      .filter(
        ({ applicationId = '', content }) => !isRight(leads.get(applicationId) ?? '', content),
      )
      .map(({ applicationId = 'nobody', content }) => ({
        invariant: 'I5' as const,
        description: `${operation} of ${submitters.get(content)?.[0]?.applicant ?? 'nobody'} went to ${leads.get(applicationId) ?? applicationId}`,
      }));
  });
}

/** I6 */
export function findSentAfterErasure({ history, ledger }: Evidence): Violation[] {
  return history.erasures.flatMap(({ reference, at }) => {
    const applicationId = ledger.leads.find((lead) => lead.reference === reference)?.applicationId;
    const isAbout = (call: (typeof ledger.calls)[number]) =>
      call.reference === reference ||
      (applicationId !== undefined && call.applicationId === applicationId);
    const late = ledger.calls.filter((call) => call.at > at && isAbout(call));
    return late.map(({ operation }) => ({
      invariant: 'I6' as const,
      description: `${operation} of ${reference} was sent after its erasure`,
    }));
  });
}

/** Allowed transitions from each state. `none` means that the row does not exist. */
const diagrams: Readonly<Record<Transition['table'], Readonly<Record<string, readonly string[]>>>> =
  {
    application: {
      // To `sending`: the process that adds the row sends it at once.
      none: ['received', 'sending'],
      received: ['sending', 'erased'],
      // From `sending` to `sending`: another worker claims the row after the lease expired.
      sending: ['sending', 'accepted', 'rejected', 'waiting', 'unconfirmed', 'held'],
      waiting: ['sending', 'accepted', 'erased'],
      unconfirmed: ['accepted', 'erased'],
      held: ['waiting', 'accepted', 'erased'],
    },
    attachment: {
      none: ['receiving'],
      receiving: ['received', 'erased', 'none'],
      received: ['sending', 'rejected', 'erased'],
      sending: ['sending', 'accepted', 'rejected', 'waiting', 'held'],
      // To `accepted`: a worker whose lease expired learned late that its attempt was accepted.
      waiting: ['sending', 'accepted', 'rejected', 'erased'],
      held: ['waiting', 'accepted', 'rejected', 'erased'],
    },
  };

/** I7 */
export function findIllegalTransitions({ transitions }: Evidence): Violation[] {
  const accepted = new Set<string>();
  const violations: Violation[] = [];
  for (const transition of transitions) {
    const { table, id, reference, from = 'none', to = 'none', fenceBefore, fence } = transition;
    const add = (description: string) =>
      violations.push({
        invariant: 'I7',
        description: `${table} ${id} went from ${from} to ${to}${description}`,
      });
    if (!diagrams[table][from]?.includes(to)) add('');
    if (to === 'sending' && fence !== fenceBefore + 1) add(' without a new fence');
    if (to !== 'sending' && fence !== fenceBefore) add(' and changed its fence');
    if (table === 'attachment' && to === 'sending' && !accepted.has(reference)) {
      add(' before its application was accepted');
    }
    if (table === 'application' && to === 'accepted') accepted.add(id);
  }
  return violations;
}

/** I9 */
export function findWrongEvents({ events, applications, attachments }: Evidence): Violation[] {
  if (events === undefined) return [];
  const violations: Violation[] = [];
  const add = (description: string) => violations.push({ invariant: 'I9', description });
  const byReference = groupBy(events, ({ event }) => event.data.reference);
  for (const { id, state, erasedAt } of applications) {
    const arrived = byReference.get(id) ?? [];
    const first = new Map<number, ArrivedEvent>();
    let latest = 0;
    for (const one of arrived) {
      const { sequence } = one.event.data;
      const before = first.get(sequence);
      if (before && (before.id !== one.id || before.body !== one.body)) {
        add(`event ${sequence} of ${id} changed`);
      }
      // Again the same, or the next one.
      if (sequence !== latest && sequence !== latest + 1) {
        add(`event ${sequence} of ${id} arrived after event ${latest}`);
      }
      if (!before) first.set(sequence, one);
      latest = sequence;
    }
    const told = [...first.values()].map(({ event }) => event);
    if (told[0]?.type !== 'application.received') add(`${id} was not reported as received`);
    const final = told.findLast(({ type }) => type.startsWith('application.'));
    const isOpen = state === 'received' || state === 'sending' || state === 'waiting';
    const expected = erasedAt === undefined ? state : 'erased';
    if (!isOpen && final?.data.status !== expected) {
      add(`${id} is ${expected}, and was last reported as ${final?.data.status}`);
    }
    for (const { kind, number, state: own } of attachments.filter(
      (row) => row.applicationId === id,
    )) {
      if (own !== 'accepted' && own !== 'held') continue;
      const last = told.findLast(
        ({ data }) => data.attachment?.kind === kind && data.attachment.number === number,
      );
      if (last?.data.status !== own) {
        add(`${kind} ${number} of ${id} is ${own}, and was reported as ${last?.data.status}`);
      }
    }
  }
  return violations;
}

export interface CampaignResult {
  /** Number of kills, cells, or restarts. */
  readonly runs: number;
  /** Applications that the BFF acknowledged to the applicant. */
  readonly acknowledged: number;
  /** Acknowledged applications that are neither at the funding service nor reported to the operator. */
  readonly lost: number;
  /** IDs or applicants that the funding service accepted twice. */
  readonly twice: number;
  /** Reported as rejected, but at the funding service. */
  readonly falselyRejected: number;
  readonly violations: readonly Violation[];
}

/** Returns all figures except the number of runs. */
export function toResult(
  { history }: Evidence,
  violations: readonly Violation[],
): Omit<CampaignResult, 'runs'> {
  const acknowledged = new Set(
    history.calls
      .filter(({ action, outcome }) => action === 'submit' && outcome === 'ok')
      .map(({ reference }) => reference),
  );
  const count = (invariant: Violation['invariant']) =>
    violations.filter((violation) => violation.invariant === invariant).length;
  return {
    acknowledged: acknowledged.size,
    lost: count('I1'),
    twice: count('I2'),
    falselyRejected: count('I3'),
    violations,
  };
}
