// The feature "documents": the step, and the announcements for screen readers.

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import {
  renderStatementsHint,
  renderWaitsForApplication,
  withoutRejected,
} from '../app/attachment-parts.ts';
import type { Feature, FeatureEnvironment, StepContext, Wording } from '../app/feature.ts';
import { toCounted } from '../app/later-parts.ts';
import { isSecondClick, renderButton, renderNotice, toStepHeading } from '../app/parts.ts';
import { type AppState, hasUnsentFiles, isSendable } from '../app/store.ts';
import type { MessageKey } from '../i18n/messages.ts';
import { renderChecklist } from './checklist.ts';
import { createDocumentQueue, toRows, type DocumentsContext } from './document-queue.ts';
import { renderRow, renderFileStatus, toDocumentProblemText, toTypes } from './document-row.ts';

/** Media types by extension, for file dialogs that ignore extensions. */
const mediaTypes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  png: 'image/png',
  txt: 'text/plain',
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

type AnnouncementKey = 'added' | 'repeated' | 'half' | 'failed' | 'removed' | 'done' | 'received';

export interface DocumentsOptions {
  /** Another way to add documents, below the drop zone. */
  readonly renderOtherWay?: (context: StepContext) => unknown;
  /**
   * The phone of a handoff: the camera is first. The phone knows only its own documents, so there is no checklist and no hint
   * about missing ones.
   */
  readonly isPhone?: boolean;
}

export function createDocuments(
  environment: FeatureEnvironment,
  options: DocumentsOptions = {},
): Feature {
  const queue = createDocumentQueue(environment);
  return {
    steps: {
      documents: {
        toHeading: (context) => ({
          ...toStepHeading('documents')(context),
          ...(context.endsWithPage && { why: context.t('documents.why.page-only') }),
        }),
        render: (context) => renderDocuments({ ...context, queue }, options),
      },
    },
    react: queue.react,
    toAnnouncements,
  };
}

/** Says which files were added, ignored, half sent, received, removed, or not sent. */
export function toAnnouncements(
  { documents: before }: AppState,
  { documents: after, form }: AppState,
  wording: Wording,
): readonly string[] {
  if (before === after || !form) return [];
  const context = { ...wording, configuration: form.configuration };
  const texts: string[] = [];
  const announce = (key: AnnouncementKey, name: string, reason = '') =>
    texts.push(wording.t(`documents.announce.${key}`, { name, reason }));
  const added = after.queued.filter(({ id, problem }) => id >= before.nextId && !problem);
  if (added.length > 0) announce('added', added.map(({ file }) => file.name).join(', '));
  if (after.repeated !== before.repeated && after.repeated.length > 0)
    announce('repeated', after.repeated.join(', '));
  for (const { id, file, isHalfSent, problem } of after.queued) {
    const earlier = before.queued.find((document) => document.id === id);
    if (isHalfSent && !earlier?.isHalfSent) announce('half', file.name);
    if (problem && problem !== earlier?.problem)
      announce('failed', file.name, toDocumentProblemText(context, file, problem));
  }
  for (const { id, file } of before.queued) {
    if (after.queued.some((document) => document.id === id)) continue;
    const status = after.uploaded.find((document) => document.id === id)?.status.status;
    announce(!status ? 'removed' : status === 'delivered' ? 'done' : 'received', file.name);
  }
  return texts;
}

/** The whole step accepts dropped files, because a browser opens a file that is dropped beside a drop zone. */
function renderDocuments(
  context: DocumentsContext,
  { renderOtherWay, isPhone = false }: DocumentsOptions,
): TemplateResult {
  const { t, state, queue } = context;
  const { documents } = state;
  const isEmpty = documents.queued.length + documents.uploaded.length === 0;
  const isDisabled = hasSessionEnded(state);
  const style = isEmpty || hasUnsentFiles(documents) ? 'button secondary' : 'button';
  const take = (event: Event, transfer: DataTransfer | null) => {
    if (!transfer || transfer.files.length === 0) return;
    event.preventDefault();
    if (!isDisabled) queue.add([...transfer.files]);
  };
  const handleDrag = (event: DragEvent) => {
    const { type, currentTarget, dataTransfer } = event;
    const isOver = type === 'dragover';
    if (currentTarget instanceof Element) currentTarget.classList.toggle('over', isOver);
    if (isOver) event.preventDefault();
    if (type === 'drop') take(event, dataTransfer);
  };
  const leave = () => {
    if (queue.warnOfUnsent()) context.focus('documents-unsent');
    else context.actions.next();
  };
  return html`<div
    class="dropping"
    @dragover=${handleDrag}
    @dragleave=${handleDrag}
    @drop=${handleDrag}
    @paste=${(event: ClipboardEvent) => take(event, event.clipboardData)}
  >
    ${isDisabled ? nothing : html`${renderDropZone(context, isEmpty, isPhone)} ${renderOtherWay?.(context)}`}
    ${isPhone ? nothing : renderChecklist(context)} ${isEmpty ? nothing : renderList(context)}
    <div class="group">
      ${documents.warnsOfUnsent ? renderNotice(t('documents.unsent'), 'documents-unsent') : nothing}
      <div class="actions">
        ${renderButton(t(isPhone ? 'phone.done' : isEmpty ? 'documents.skip' : 'continue'), leave, style)}
      </div>
      ${isPhone ? nothing : html`${renderStatementsHint(context)} ${renderWaitsForApplication(context)}`}
    </div>
  </div>`;
}

/** If another tab ended the session, an upload reports it. */
function hasSessionEnded({ session, documents }: AppState): boolean {
  return (
    session.notice === 'ended' ||
    documents.queued.some(
      ({ problem }) => problem?.kind === 'failed' && problem.code === 'session-missing',
    )
  );
}

/** The file inputs can be focused, so applicants do not need to drag (WCAG 2.2, 2.5.7). */
function renderDropZone(
  context: DocumentsContext,
  isEmpty: boolean,
  isPhone: boolean,
): TemplateResult {
  const { t, format, configuration, state } = context;
  const { extensions, maxBytes, maxFiles, maxTotalBytes } = configuration.documents;
  const { repeated } = state.documents;
  const isTouch = isPhone || matchMedia('(pointer: coarse)').matches;
  const takesPhotos = extensions.includes('jpg') || extensions.includes('jpeg');
  // Without HEIC, iPhones convert their photos to JPG.
  const accept = extensions
    .flatMap((extension) => [`.${extension}`, mediaTypes[extension] ?? ''])
    .filter(Boolean)
    .join();
  const camera = renderInput(
    context,
    'camera',
    'image/*',
    isPhone ? 'button' : 'button secondary',
    isPhone && !isEmpty ? 'phone.camera.again' : undefined,
  );
  return html`<div class="drop" part="drop-zone">
    ${isTouch ? nothing : html`<span aria-hidden="true">${t('documents.drop')}</span>`}
    <div class="actions">
      ${isPhone && takesPhotos ? camera : nothing}
      ${renderInput(context, 'choose', accept, isEmpty && !isPhone ? 'button' : 'button secondary')}
      ${!isPhone && isTouch && takesPhotos ? camera : nothing}
    </div>
    <p class="hint" part="hint" id="document-files-hint">
      ${t(maxTotalBytes === undefined ? 'documents.hint' : 'documents.hint.total', {
        types: toTypes(context),
        size: format.bytes(maxBytes),
        count: maxFiles,
        total: format.bytes(maxTotalBytes ?? 0),
      })}
    </p>
    ${
      repeated.length === 0
        ? nothing
        : html`<p>${t('documents.announce.repeated', { name: repeated.join(', ') })}</p>`
    }
  </div>`;
}

/** A file input. Its label is the button. */
function renderInput(
  { t, queue }: DocumentsContext,
  kind: 'choose' | 'camera',
  accept: string,
  style: 'button' | 'button secondary',
  label: MessageKey = `documents.${kind}`,
): TemplateResult {
  const isCamera = kind === 'camera';
  const id = isCamera ? 'document-photo' : 'document-files';
  return html`<input
      class="visually-hidden"
      type="file"
      id=${id}
      ?multiple=${!isCamera}
      accept=${accept}
      capture=${isCamera ? 'environment' : nothing}
      aria-describedby="document-files-hint"
      @change=${({ target }: Event) => {
        if (!(target instanceof HTMLInputElement)) return;
        queue.add([...(target.files ?? [])]);
        // Otherwise, choosing the same file again would cause no change event.
        target.value = '';
      }}
    />
    <label class=${style} part=${style} for=${id}>${t(label)}</label>`;
}

function renderList(context: DocumentsContext): TemplateResult {
  const { t, state, queue } = context;
  const { documents } = state;
  const chosen = documents.queued.filter((document) => document.state === 'chosen').length;
  const uploaded = withoutRejected(documents.uploaded).length;
  const count = uploaded + documents.queued.filter(isSendable).length;
  const sendLabel = toCounted(context, 'documents.send.one', 'documents.send.many', chosen);
  const sentText = t('documents.count', { sent: uploaded, count });
  const send = ({ currentTarget }: Event) => {
    // The button will disappear. The page must not scroll, or a second click would hit another button.
    if (currentTarget instanceof Element) {
      const heading = currentTarget.closest('section')?.querySelector('h3');
      heading?.focus({ preventScroll: true });
    }
    const incomplete = queue.send();
    if (incomplete !== undefined) context.focus(`document-category-${incomplete}`);
  };
  return html`<section class="group" aria-labelledby="queue-title">
    <h3 id="queue-title" tabindex="-1" aria-level=${context.headingLevel(1)}>
      ${t('documents.list')}
    </h3>
    <ul class="files">
      ${repeat(
        toRows(documents),
        ({ id }) => id,
        (row) => renderRow(context, row),
      )}
    </ul>
    <div class="actions sending" @mousedown=${keepFocus}>
      ${chosen > 0 ? renderButton(sendLabel, send, 'button') : nothing}
      ${chosen === 0 && count > 0 ? renderFileStatus(sentText, uploaded === count) : nothing}
    </div>
  </section>`;
}

/** The second click of a double-click on Send would move the focus to the host page. */
function keepFocus(event: MouseEvent): void {
  if (isSecondClick(event)) event.preventDefault();
}
