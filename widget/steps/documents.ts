// Step "Documents": choose files, say what each is, send them, see each one's way.

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icons } from '../fields/icons.ts';
import { toChecklist, type ChecklistLine } from '../flow/checklist.ts';
import type { DocumentQueue } from '../flow/document-queue.ts';
import { isSendable } from '../flow/queued-document.ts';
import { createReception } from '../flow/reception.ts';
import { renderRow, toTypes } from './document-row.ts';
import { renderLacking, renderParked } from './given.ts';
import { toCounted } from './parts.ts';
import { toPartnerLanguage } from './partner-texts.ts';
import type { StepContext } from './step-context.ts';

/** What an extension stands for; some file dialogs know only these. */
const mediaTypes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  png: 'image/png',
  txt: 'text/plain',
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Nothing here moves by itself when a file arrives or fails: what changes has its place from the beginning. What is dropped beside
 * the zone is taken as well, since a browser would open it instead of the page.
 */
export function renderDocuments(context: StepContext): TemplateResult {
  const { t, flow } = context;
  const documents = flow.parts?.documents;
  if (!documents) return html`${nothing}`;
  const { rows, hasUnsent } = documents;
  const isEmpty = rows.length === 0;
  const hasEnded = isOver(context, documents);
  const rank = isEmpty || hasUnsent ? 'secondary' : '';
  const take = (event: Event, transfer: DataTransfer | null) => {
    if (!transfer || transfer.files.length === 0) return;
    event.preventDefault();
    if (!hasEnded) add(context, transfer.files);
  };
  return html`<div
    class="dropping"
    @dragover=${(event: DragEvent) => {
      event.preventDefault();
      markOver(event, true);
    }}
    @dragleave=${(event: DragEvent) => markOver(event, false)}
    @drop=${(event: DragEvent) => {
      markOver(event, false);
      take(event, event.dataTransfer);
    }}
    @paste=${(event: ClipboardEvent) => take(event, event.clipboardData)}
  >
    ${hasEnded ? nothing : renderDropZone(context, documents)}
    ${renderChecklist(context, documents)} ${isEmpty ? nothing : renderList(context, documents)}
    <div class="group">
      ${
        documents.warnsOfUnsent
          ? html`<p
              class="notice calm"
              part="notice"
              id="documents-unsent"
              role="alert"
              tabindex="-1"
            >
              ${t('documents.unsent')}
            </p>`
          : nothing
      }
      <div class="actions">
        <button
          type="button"
          class="button ${rank}"
          part="button ${rank}"
          @click=${() => leave(context)}
        >
          ${t(isEmpty ? 'documents.skip' : 'documents.continue')}
        </button>
      </div>
      ${renderLacking(context)} ${renderParked(context)}
    </div>
  </div>`;
}

/** The session has ended, here or in another tab: nothing more can be given. */
function isOver({ flow }: StepContext, { queued }: DocumentQueue): boolean {
  return (
    flow.life.session.notice === 'ended' ||
    queued.some(({ problem }) => problem?.kind === 'failed' && problem.code === 'session-missing')
  );
}

/** The file inputs are real, focusable inputs: nobody needs to drag (WCAG 2.2, 2.5.7). */
function renderDropZone(context: StepContext, documents: DocumentQueue): TemplateResult {
  const { t, format, configuration } = context;
  const { extensions, maxBytes, maxFiles, maxTotalBytes } = configuration.documents;
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const takesPhotos = extensions.includes('jpg') || extensions.includes('jpeg');
  // HEIC is not in it, so that iPhones turn their photos into JPG.
  const accept = extensions.flatMap((extension) => [`.${extension}`, mediaTypes[extension] ?? []]);
  return html`<div class="drop" part="drop-zone">
    ${isTouch ? nothing : html`<span aria-hidden="true">${t('documents.drop')}</span>`}
    <div class="actions">
      ${renderInput(context, accept.flat().join(','), documents.rows.length === 0)}
      ${isTouch && takesPhotos ? renderInput(context) : nothing}
    </div>
    <p class="hint" part="hint" id="document-files-hint">
      ${t(maxTotalBytes === undefined ? 'documents.hint' : 'documents.hint.total', {
        types: toTypes({ format, configuration }),
        size: format.bytes(maxBytes),
        count: maxFiles,
        total: format.bytes(maxTotalBytes ?? 0),
      })}
    </p>
    ${
      documents.repeated === ''
        ? nothing
        : html`<p>${t('documents.announce.repeated', { name: documents.repeated })}</p>`
    }
  </div>`;
}

/** @param accept without it the camera is asked for; with it phones offer camera and library themselves. */
function renderInput(context: StepContext, accept?: string, isFirst = false): TemplateResult {
  const isCamera = accept === undefined;
  const rank = isFirst ? '' : 'secondary';
  const id = isCamera ? 'document-photo' : 'document-files';
  return html`<input
      type="file"
      id=${id}
      ?multiple=${!isCamera}
      accept=${accept ?? 'image/*'}
      capture=${isCamera ? 'environment' : nothing}
      aria-describedby="document-files-hint"
      @change=${(event: Event) => {
        if (!(event.target instanceof HTMLInputElement)) return;
        add(context, event.target.files);
        // Choosing the same file again must be noticed.
        event.target.value = '';
      }}
    />
    <label class="button ${rank}" part="button ${rank}" for=${id}
      >${context.t(isCamera ? 'documents.camera' : 'documents.choose')}</label
    >`;
}

function renderChecklist(
  context: StepContext,
  { rows }: DocumentQueue,
): TemplateResult | typeof nothing {
  const { t, format, flow, configuration } = context;
  const lines = toChecklist(configuration.documents.checklist ?? [], rows, flow.now());
  const renderLine = ({ label, found, count, months }: ChecklistLine) => {
    const isDone = found === count;
    return html`<li class=${isDone ? 'done' : ''}>
      <span class="tick">${isDone ? icons.check : nothing}</span>
      <div>
        <span class="visually-hidden">${t(isDone ? 'checklist.done' : 'checklist.open')}: </span>
        <span lang=${toPartnerLanguage(context)}>${label}</span>
        ${months.length === 0 ? nothing : html`<p class="hint" part="hint">${format.all(months.map(format.month))}</p>`}
      </div>
      ${count === 1 ? nothing : html`<span class="figures">${t('checklist.count', { found, count })}</span>`}
    </li>`;
  };
  return lines.length === 0
    ? nothing
    : html`<section class="checklist" aria-labelledby="checklist-title">
        <h3 id="checklist-title" aria-level=${context.headingLevel(1)}>${t('checklist.title')}</h3>
        <ul>
          ${lines.map(renderLine)}
        </ul>
      </section>`;
}

function renderList(context: StepContext, { rows, queued }: DocumentQueue): TemplateResult {
  const { t } = context;
  const chosen = queued.filter(({ state }) => state === 'chosen').length;
  const sent = rows.filter((row) => row.sent && row.sent.status !== 'rejected').length;
  const count = sent + queued.filter(isSendable).length;
  return html`<section class="group" aria-labelledby="queue-title">
    <h3 id="queue-title" tabindex="-1" aria-level=${context.headingLevel(1)}>
      ${t('documents.list')}
    </h3>
    <ul class="files">
      ${repeat(
        rows,
        ({ id }) => id,
        (row) => renderRow(context, row),
      )}
    </ul>
    <div class="actions sending" @mousedown=${keepFocus}>
      ${
        chosen > 0
          ? html`<button
              type="button"
              class="button"
              part="button"
              @click=${(event: Event) => send(context, event)}
            >
              ${toCounted(context, 'documents.send.one', 'documents.send.many', chosen)}
            </button>`
          : count > 0
            ? html`<p class="state figures ${sent === count ? 'done' : ''}">
                ${sent === count ? icons.check : nothing}${t('documents.count', { sent, count })}
              </p>`
            : nothing
      }
    </div>
  </section>`;
}

function add({ flow, configuration }: StepContext, files: FileList | null): void {
  flow.parts?.documents.add(Array.from(files ?? []), createReception(configuration.documents));
}

/** The focus leaves the button before that goes, and nothing scrolls: a second press must not meet something else. */
function send({ flow, focusField }: StepContext, { currentTarget }: Event): void {
  if (currentTarget instanceof Element) {
    const title = currentTarget.closest('section')?.querySelector('h3');
    title?.focus({ preventScroll: true });
  }
  const [lacking] = flow.parts?.documents.send() ?? [];
  if (lacking !== undefined) focusField(`document-category-${lacking}`);
}

/** The second press of a double-click on Send meets what has taken its place, and would take the focus to the host page. */
function keepFocus(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}

function leave({ flow, focusField }: StepContext): void {
  if (flow.parts?.documents.mayLeave()) flow.next();
  else focusField('documents-unsent');
}

function markOver(event: DragEvent, isOver: boolean): void {
  if (event.currentTarget instanceof Element) event.currentTarget.classList.toggle('over', isOver);
}
