// Invariants of attachments: none is lost (I1), none is copied needlessly (I4), none goes to another application (I5).

import type { ApplicationRow, AttachmentKind, AttachmentRow } from '../../bff/store/store.ts';
import type { Evidence, Violation } from './checker.ts';
import { groupBy } from './group-by.ts';
import type { Action, ClientCall } from './history.ts';
import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import type { LedgerAttachment } from './ledger.ts';

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
