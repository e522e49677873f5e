// Requests, counts, and templates for the attachments of an application, which several features share.

import { html, nothing, type TemplateResult } from 'lit';
import type { BankReportStatus, DocumentStatus } from '../../shared/api/attachments.ts';
import { toReference, withAttachments } from './attachments.ts';
import type { FeatureEnvironment, StepContext } from './feature.ts';
import { type NoticeKind, renderNoticeOf } from './parts.ts';
import type { AppState, BankState, HandoffPanelState, UploadedDocument } from './store.ts';

type Connection = Pick<FeatureEnvironment, 'store' | 'api'>;

/** Reads the attachments of the application. A response about another application is ignored. */
export async function readAttachments({ store, api }: Connection): Promise<void> {
  const before = store.state;
  const reference = toReference(before);
  const session = await api.getSession();
  if (reference === undefined || toReference(store.state) !== reference) return;
  if (session.ok && session.value.application?.reference === reference)
    store.update((state) => withAttachments(state, session.value, before));
}

/** Reads the documents that this phone of a handoff has sent. */
export async function readPhoneDocuments({ store, api }: Connection): Promise<void> {
  const before = store.state;
  const list = await api.listDocuments?.();
  if (list?.ok) store.update((state) => withAttachments(state, list.value, before));
}

/** The number of attachments that the BFF is delivering to the funding service. It holds new documents for a short time. */
export function countDelivering({ documents, bank, contact }: AppState): number {
  const released = documents.uploaded.map(({ status }) => status).filter((one) => !isHeld(one));
  const statuses = [...released, bank.report, contact];
  return statuses.filter((status) => status?.status === 'received').length;
}

/** Returns true if the BFF still waits for changes before it delivers the document. */
export function isHeld({ changeable }: DocumentStatus): boolean {
  return changeable !== undefined && changeable.heldSeconds > 0;
}

/** The category that the applicant sees. Empty if nobody has chosen one. */
export function toShownCategory({ status, wantedCategory }: UploadedDocument): string {
  return wantedCategory ?? (status.changeable?.needsCategory ? '' : status.category);
}

/** Returns true if the lender gets bank statements, from documents or from a connected bank. */
function hasBankStatements({ documents, bank }: AppState): boolean {
  const hasStatements = withoutRejected(documents.uploaded).some((document) =>
    toShownCategory(document).includes('bank-statements'),
  );
  return hasStatements || hasBankReport(bank);
}

/** The documents that the lender has or will get. A rejected one counts for nothing. */
export function withoutRejected(
  uploaded: readonly UploadedDocument[],
): readonly UploadedDocument[] {
  return uploaded.filter(({ status }) => status.status !== 'rejected');
}

/** Returns true if the lender has a bank report or will get it. */
export function hasBankReport({ report }: BankState): boolean {
  return report !== undefined && report.status !== 'rejected';
}

/** The message for the status of a document or a bank report. */
export function toDeliveryState({
  status,
  delayed,
}: BankReportStatus): 'delayed' | BankReportStatus['status'] {
  return status === 'received' && delayed ? 'delayed' : status;
}

/** Before the lender has the application, attachments wait. */
export function renderWaitsForApplication({
  t,
  form,
}: StepContext): TemplateResult | typeof nothing {
  return form.application?.status === 'accepted'
    ? nothing
    : html`<p class="hint" part="hint">${t('attachments.waiting')}</p>`;
}

/** Explains the effect of sending no bank statements. */
export function renderStatementsHint({ t, state }: StepContext): TemplateResult | typeof nothing {
  return hasBankStatements(state)
    ? nothing
    : html`<p class="hint screen-only" part="hint">${t('documents.skip.text')}</p>`;
}

/** One element for all statuses of an attachment, so that screen readers say the next one when it replaces this one. */
export function renderStatus(id: string, text: string, kind: NoticeKind): TemplateResult {
  return renderNoticeOf(kind, html`<p>${text}</p>`, { role: 'status', id });
}

/** Returns true if a phone can use the handoff, or uses it. */
export function isLive({ view, status }: HandoffPanelState): boolean {
  return (
    view === 'open' && (status === 'waiting' || status === 'claimed' || status === 'connected')
  );
}
