// The feature "documents": the step, and the announcements for screen readers.

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { sessionMaxHours } from '../../shared/api/session-lifetime.ts';
import {
  renderStatementsHint,
  renderWaitsForApplication,
  withoutRejected,
} from '../app/attachment-parts.ts';
import type { Feature, FeatureEnvironment, StepContext, Wording } from '../app/feature.ts';
import { FundingDocumentEvent } from '../app/later-events.ts';
import { renderButton, renderNotice, toProblemText } from '../app/parts.ts';
import { type AppState, hasUnsentFiles, isSendable, type UploadedDocument } from '../app/store.ts';
import type { MessageKey } from '../i18n/messages.ts';
import { renderChecklist } from './checklist.ts';
import {
  createDocumentQueue,
  lacksCategories,
  toRows,
  type DocumentsContext,
} from './document-queue.ts';
import {
  renderRow,
  toDocumentName,
  toCategoryLabel,
  renderFileStatus,
  toDocumentProblemText,
  toTypes,
} from './document-row.ts';
import { takesJpg } from './prepare-photo.ts';

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

type AnnouncementKey =
  'added' | 'repeated' | 'failed' | 'unchanged' | 'removed' | 'done' | 'received';

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
        toHeading: ({ t, endsWithPage }) => ({
          title: t('step.documents.title'),
          why: endsWithPage
            ? t('documents.why.page-only')
            : t('step.documents.why', { hours: sessionMaxHours }),
        }),
        render: (context) => renderDocuments({ ...context, queue }, options),
      },
    },
    react: (before, after) => {
      queue.react(before, after);
      if (isUploading(before) === isUploading(after)) return;
      if (isUploading(after)) addEventListener('beforeunload', askBeforeUnload);
      else removeEventListener('beforeunload', askBeforeUnload);
    },
    toAnnouncements,
    toHostEvents,
  };
  /** The browser asks whether to leave the page. A page with such a listener is not restored by Back in Firefox, so it is short-lived. */
  function askBeforeUnload(event: Event): void {
    event.preventDefault();
  }
}

function toHostEvents(before: AppState, after: AppState): readonly Event[] {
  if (!before.form || before.form.application?.reference !== after.form?.application?.reference)
    return [];
  return after.documents.uploaded
    .filter(({ id, status }) => {
      const known = before.documents.uploaded.find((document) => document.id === id)?.status;
      return known?.status !== status.status || known.category !== status.category;
    })
    .map(
      ({ status: { number, category, status } }) =>
        new FundingDocumentEvent(number, category, status),
    );
}

/** Returns true if leaving the page would interrupt an upload. Files that wait for a connection do not hold the applicant. */
function isUploading({ isConnected, documents }: AppState): boolean {
  return isConnected && documents.queued.some(({ state }) => state === 'sending');
}

/** Says which files were added, ignored, uploaded, sent, or removed, and what failed. */
export function toAnnouncements(
  { documents: before }: AppState,
  { documents: after, form }: AppState,
  wording: Wording,
): readonly string[] {
  if (before === after || !form) return [];
  const context = { ...wording, configuration: form.configuration };
  const texts: string[] = [];
  const announce = (key: AnnouncementKey, names: string | readonly string[], reason = '') => {
    const name = [names].flat().join(', ');
    if (name !== '') texts.push(wording.t(`documents.announce.${key}`, { name, reason }));
  };
  const toName = (document: UploadedDocument) => toDocumentName(wording, document);
  const isPresent = (id: number) =>
    [...after.queued, ...after.uploaded].some((document) => document.id === id);
  const added = after.queued.filter(({ id, problem }) => id >= before.nextId && !problem);
  announce(
    'added',
    added.map(({ file }) => file.name),
  );
  if (after.repeated !== before.repeated) announce('repeated', after.repeated);
  for (const { id, file, problem } of after.queued) {
    const earlier = before.queued.find((document) => document.id === id);
    if (problem && problem !== earlier?.problem)
      announce('failed', file.name, toDocumentProblemText(context, file, problem));
  }
  const removed = [
    ...before.queued.map(({ id, file }) => ({ id, name: file.name })),
    ...before.uploaded.map((document) => ({ id: document.id, name: toName(document) })),
  ].filter(({ id }) => !isPresent(id));
  announce(
    'removed',
    removed.map(({ name }) => name),
  );
  const known = new Map(before.uploaded.map((document) => [document.id, document]));
  const queuedBefore = new Set(before.queued.map(({ id }) => id));
  const uploaded = after.uploaded.filter(({ id }) => queuedBefore.has(id));
  const isSent = ({ status }: UploadedDocument) => status.status === 'delivered';
  announce('received', uploaded.filter((document) => !isSent(document)).map(toName));
  const sent = after.uploaded.filter((document) => {
    const earlier = known.get(document.id);
    return isSent(document) && (earlier ? !isSent(earlier) : queuedBefore.has(document.id));
  });
  announce('done', sent.map(toName));
  for (const document of after.uploaded) {
    const { problem } = document;
    if (problem && problem !== known.get(document.id)?.problem)
      announce('unchanged', toName(document), toProblemText(wording.t, problem));
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
  const warning = hasUnsentFiles(documents)
    ? t('documents.unsent')
    : t('documents.uncategorized', { category: toCategoryLabel(context, 'other') });
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
      ${documents.warnsOfUnsent ? renderNotice(warning, 'documents-unsent') : nothing}
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
  const takesPhotos = takesJpg(extensions);
  // Without HEIC, iPhones convert their photos to JPG. On other devices, the form converts them if the browser can.
  const accept = [...extensions, ...(isTouch || !takesPhotos ? [] : ['heic', 'heif', 'hif'])]
    .flatMap((extension) => [`.${extension}`, mediaTypes[extension] ?? ''])
    .filter(Boolean)
    .join();
  const camera =
    isTouch && takesPhotos
      ? renderInput(
          context,
          'camera',
          'image/*',
          isPhone ? 'button' : 'button secondary',
          isPhone && !isEmpty ? 'phone.camera.again' : undefined,
        )
      : nothing;
  return html`<div class="drop" part="drop-zone">
    ${isTouch ? nothing : html`<span aria-hidden="true">${t('documents.drop')}</span>`}
    <div class="actions">
      ${isPhone ? camera : nothing}
      ${renderInput(context, 'choose', accept, isEmpty && !isPhone ? 'button' : 'button secondary')}
      ${isPhone ? nothing : camera}
    </div>
    <p class="hint" part="hint" id="document-files-hint">
      ${t('documents.hint', {
        types: toTypes(context),
        size: format.bytes(maxBytes),
        count: maxFiles,
        total: format.bytes(maxTotalBytes),
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
  const { t, state } = context;
  const { documents } = state;
  const uploaded = withoutRejected(documents.uploaded);
  const sent = uploaded.filter(({ status }) => status.status === 'delivered').length;
  const count = uploaded.length + documents.queued.filter(isSendable).length;
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
    ${
      lacksCategories(documents)
        ? html`<p class="hint" part="hint" id="document-category-hint">
            ${t('documents.category.hint', { category: toCategoryLabel(context, 'other') })}
          </p>`
        : nothing
    }
    ${count > 0 ? renderFileStatus(t('documents.count', { sent, count }), sent === count) : nothing}
  </section>`;
}
