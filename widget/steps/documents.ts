// Step "Documents": choose files, say what each is, send them, see each one's way.

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { DocumentStatus } from '../../shared/api/documents.ts';
import { icons } from '../fields/icons.ts';
import type { QueuedDocument } from '../flow/document-queue.ts';
import { renderQueuedFile, toTypes } from './document-row.ts';
import { renderParked, toState } from './given.ts';
import { toCounted } from './parts.ts';
import type { StepContext } from './step-context.ts';

export function renderDocuments(context: StepContext): TemplateResult {
  const { t, flow } = context;
  const documents = flow.parts?.documents;
  if (!documents) return html`${nothing}`;
  const { queued, sent } = documents;
  const chosen = queued.filter(({ state }) => state === 'chosen');
  return html`
    ${renderParked(context)} ${renderDropZone(context)}
    ${queued.length === 0 ? nothing : renderQueue(context, queued)}
    ${sent.length === 0 ? nothing : renderSent(context, sent)}
    <div class="group">
      ${
        documents.warnsOfUnsent
          ? html`<p class="notice calm" id="documents-unsent" role="alert" tabindex="-1">
              ${t('documents.unsent')}
            </p>`
          : nothing
      }
      ${sent.length === 0 ? html`<p class="hint">${t('documents.skip.text')}</p>` : nothing}
      <div class="actions">
        ${
          chosen.length === 0
            ? nothing
            : html`<button type="button" class="button" @click=${() => send(context)}>
                ${toCounted(context, 'documents.send.one', 'documents.send.many', chosen.length)}
              </button>`
        }
        <button
          type="button"
          class="button ${queued.length === 0 && sent.length > 0 ? '' : 'secondary'}"
          @click=${() => leave(context)}
        >
          ${t(sent.length === 0 && queued.length === 0 ? 'documents.skip' : 'documents.continue')}
        </button>
      </div>
    </div>
  `;
}

/** The file input is a real, focusable input; the zone around it takes drops (WCAG 2.2, 2.5.7). */
function renderDropZone({ t, format, flow, configuration }: StepContext): TemplateResult {
  const { extensions, maxBytes, maxFiles, maxTotalBytes } = configuration.documents;
  const add = (files: FileList | null | undefined) =>
    flow.parts?.documents.add(files ? Array.from(files) : []);
  return html`<div
    class="drop"
    @dragover=${(event: DragEvent) => {
      event.preventDefault();
      markOver(event, true);
    }}
    @dragleave=${(event: DragEvent) => markOver(event, false)}
    @drop=${(event: DragEvent) => {
      event.preventDefault();
      markOver(event, false);
      add(event.dataTransfer?.files);
    }}
  >
    <span aria-hidden="true">${t('documents.drop')}</span>
    <input
      type="file"
      id="document-files"
      multiple
      accept=${extensions.map((extension) => `.${extension}`).join(',')}
      aria-describedby="document-files-hint"
      @change=${(event: Event) => {
        if (!(event.target instanceof HTMLInputElement)) return;
        add(event.target.files);
        // Choosing the same file again must be noticed.
        event.target.value = '';
      }}
    />
    <label class="button secondary" for="document-files">${t('documents.choose')}</label>
    <p class="hint" id="document-files-hint">
      ${t(maxTotalBytes === undefined ? 'documents.hint' : 'documents.hint.total', {
        types: toTypes({ format, configuration }),
        size: format.bytes(maxBytes),
        count: maxFiles,
        total: format.bytes(maxTotalBytes ?? 0),
      })}
    </p>
  </div>`;
}

function renderQueue(context: StepContext, queued: readonly QueuedDocument[]): TemplateResult {
  return html`<section class="group" aria-labelledby="queue-title">
    <h3 id="queue-title" tabindex="-1">${context.t('documents.list')}</h3>
    <ul class="files">
      ${repeat(
        queued,
        ({ id }) => id,
        (document) => renderQueuedFile(context, document),
      )}
    </ul>
  </section>`;
}

function renderSent(
  { t, format, configuration }: StepContext,
  sent: readonly DocumentStatus[],
): TemplateResult {
  const labelOf = (id: string) =>
    configuration.documents.categories.find((category) => category.id === id)?.label ?? id;
  return html`<section class="group" aria-labelledby="sent-title">
    <h3 id="sent-title">${t('documents.sent-list')}</h3>
    <ul class="files">
      ${sent.map(
        (document) =>
          html`<li class="file">
            ${icons.document}
            <div>
              <p class="name">
                ${document.name ?? t('documents.unnamed', { number: document.number })}
              </p>
              <p class="hint">${labelOf(document.category)}, ${format.bytes(document.bytes)}</p>
            </div>
            <span class="state ${document.status === 'delivered' ? 'done' : ''}"
              >${document.status === 'delivered' ? icons.check : nothing}${t(
                document.problem === 'document-infected'
                  ? 'documents.state.infected'
                  : `documents.state.${toState(document)}`,
              )}</span
            >
            ${
              document.needsPassword
                ? html`<p class="hint wide">${t('documents.needs-password')}</p>`
                : nothing
            }
          </li>`,
      )}
    </ul>
  </section>`;
}

function send({ flow, focusField }: StepContext): void {
  const [lacking] = flow.parts?.documents.send() ?? [];
  focusField(lacking === undefined ? 'queue-title' : `document-category-${lacking}`);
}

function leave({ flow, focusField }: StepContext): void {
  if (flow.parts?.documents.mayLeave()) flow.next();
  else focusField('documents-unsent');
}

function markOver(event: DragEvent, isOver: boolean): void {
  if (event.currentTarget instanceof Element) event.currentTarget.classList.toggle('over', isOver);
}
