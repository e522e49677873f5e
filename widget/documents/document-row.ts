// One row of the file list: the name of the file, its state, and its buttons.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import { documentCategoryGroups } from '../../shared/application/document-categories.ts';
import { toDeliveryState } from '../app/attachment-parts.ts';
import type { StepContext } from '../app/feature.ts';
import { isSecondClick, toPartnerLanguage, toProblemText } from '../app/parts.ts';
import type { DocumentProblem, QueuedDocument } from '../app/store.ts';
import { renderErrorLine, renderWithArrow } from '../fields/field.ts';
import { icons } from '../fields/icons.ts';
import {
  canRetry,
  isUploading,
  toRows,
  type DocumentRow,
  type DocumentsContext,
} from './document-queue.ts';

type ProblemContext = Pick<StepContext, 't' | 'format' | 'configuration'>;

type RenderState = (context: DocumentsContext, document: QueuedDocument) => TemplateResult;

/** Renders the lower part of the row of a file that is not sent, by the state of the file. */
const stateRenderers: Readonly<Record<QueuedDocument['state'], RenderState>> = {
  chosen: (context, document) =>
    html`${renderReason(context, document)} ${renderCategory(context, document)}`,
  queued: (context, document) =>
    renderUpload(context, document, document.waitsForScan ? 'checking-later' : 'queued'),
  sending: (context, document) =>
    renderUpload(context, document, document.progress < 1 ? 'uploading' : 'finishing'),
  failed: (context, document) =>
    html`${renderReason(context, document)}
    ${canRetry(document) ? renderAction(context, document, 'retry') : nothing}`,
};

/**
 * The class `steady` gives the row the same height in all states, so that no row moves while another one is sent or fails. The
 * row of an unusable file, or of a file that another page sent, is as high as its content.
 */
export function renderRow(context: DocumentsContext, row: DocumentRow): TemplateResult {
  const { t, format } = context;
  const { id, thumbnail, original } = row;
  const queued = 'file' in row ? row : undefined;
  const { name, bytes } =
    'file' in row
      ? { name: row.file.name, bytes: row.file.size }
      : { name: t('documents.unnamed', { number: row.status.number }), ...row.status };
  const isPhoto = /(jpe?g|png)$/i.test(name);
  return html`<li class="file" part="file">
    ${thumbnail ?? icons[isPhoto ? 'image' : 'document']}
    <div>
      <p class="name" id="document-${id}" tabindex="-1">${name}</p>
      <p class="hint" part="hint">
        ${queued?.isPreparing ? t('documents.preparing') : format.bytes(bytes)}
        ${queued?.keepsLocation ? t('documents.location') : nothing}
        ${'status' in row && row.status.fromPhone && !original ? html` · ${t('documents.from-phone')}` : nothing}
      </p>
    </div>
    ${queued ? renderMainAction(context, queued) : nothing}
    <div
      class="wide ${original && !queued?.isUnusable ? 'steady' : ''} ${queued?.state === 'failed' ? 'failed' : ''}"
    >
      ${'file' in row ? stateRenderers[row.state](context, row) : renderUploaded(context, row.status)}
    </div>
  </li>`;
}

function renderReason(
  context: StepContext,
  { file, problem }: QueuedDocument,
): TemplateResult | typeof nothing {
  return problem
    ? renderErrorLine(context.t, toDocumentProblemText(context, file, problem))
    : nothing;
}

function renderUpload(
  context: StepContext,
  { category, file, progress }: QueuedDocument,
  status: 'queued' | 'checking-later' | 'uploading' | 'finishing',
): TemplateResult {
  const { t, state } = context;
  const percent = Math.floor(progress * 100);
  return html`${renderLabel(context, category)}
    <p class="hint figures" part="hint">
      ${t(`documents.state.${state.isOffline ? 'offline' : status}`, { percent })}
    </p>
    <progress max="100" .value=${percent} aria-label=${file.name}></progress>`;
}

function renderUploaded(context: StepContext, document: DocumentStatus): TemplateResult {
  const { t } = context;
  const state = document.problem === 'document-infected' ? 'infected' : toDeliveryState(document);
  return html`${renderLabel(context, document.category)}
  ${renderFileStatus(t(`documents.state.${state}`), state === 'delivered')}`;
}

/** A status with a check mark if it is final. */
export function renderFileStatus(text: string, isDone: boolean): TemplateResult {
  return html`<p class="state figures ${isDone ? 'done' : ''}">
    ${isDone ? icons.check : nothing}${text}
  </p>`;
}

/** The sentence that tells the applicant why a file was not sent. */
export function toDocumentProblemText(
  context: ProblemContext,
  file: Pick<File, 'size'>,
  problem: DocumentProblem,
): string {
  const { t, format, configuration } = context;
  const { maxBytes, maxFiles, maxTotalBytes = 0 } = configuration.documents;
  if (problem.kind === 'failed') return toProblemText(t, problem.code, problem.retryAfterMs);
  return t(`documents.problem.${problem.kind}`, {
    types: toTypes(context),
    actual: format.bytes(file.size),
    size: format.bytes(maxBytes),
    count: maxFiles,
    total: format.bytes(maxTotalBytes),
  });
}

/** The accepted types, for example `PDF, JPG, or PNG`. */
export function toTypes({ format, configuration }: ProblemContext): string {
  const extensions = configuration.documents.extensions.filter((extension) => extension !== 'jpeg');
  return format.either(extensions.map((extension) => extension.toUpperCase()));
}

/** Renders Cancel or Remove. When the BFF has the whole file, canceling has no effect, so there is no button. */
function renderMainAction(
  context: DocumentsContext,
  document: QueuedDocument,
): TemplateResult | typeof nothing {
  if (!isUploading(document)) return renderAction(context, document, 'remove');
  return document.progress < 1 ? renderAction(context, document, 'cancel') : nothing;
}

function renderAction(
  { t, queue, state, focus }: DocumentsContext,
  { id, file }: QueuedDocument,
  action: 'cancel' | 'retry' | 'remove',
): TemplateResult {
  const act = (event: MouseEvent) => {
    if (isSecondClick(event)) return;
    const rows = toRows(state.documents);
    const index = rows.findIndex((row) => row.id === id);
    const focused = action === 'remove' ? (rows[index + 1] ?? rows[index - 1]) : rows[index];
    queue[action](id);
    focus(focused ? `document-${focused.id}` : 'document-files');
  };
  return html`<button
    type="button"
    class="quiet"
    part="link"
    aria-label=${t(`documents.${action}.for`, { name: file.name })}
    @click=${act}
  >
    ${t(`documents.${action}`)}
  </button>`;
}

function renderLabel(context: StepContext, id: string): TemplateResult {
  const { categories } = context.configuration.documents;
  const label = categories.find((category) => category.id === id)?.label ?? id;
  return html`<p lang=${toPartnerLanguage(context)}>${label}</p>`;
}

function renderCategory(
  context: DocumentsContext,
  { id, file, category, isSuggested, lacksCategory }: QueuedDocument,
): TemplateResult {
  const { t, configuration } = context;
  const fieldId = `document-category-${id}`;
  const language = toPartnerLanguage(context);
  const { categories } = configuration.documents;
  return html`<div class="field ${lacksCategory ? 'wrong' : ''}" part="field">
    <div class="question">
      <label for=${fieldId} part="label"
        >${t('documents.category')}<span class="visually-hidden"> ${file.name}</span></label
      >
      <div id="${fieldId}-note">
        ${
          lacksCategory
            ? renderErrorLine(t, t('documents.category.required', { name: file.name }))
            : isSuggested
              ? html`<span class="hint" part="hint">${t('documents.suggested')}</span>`
              : nothing
        }
      </div>
    </div>
    ${renderWithArrow(
      html`<select
        class="control"
        part="input"
        id=${fieldId}
        aria-invalid=${lacksCategory ? 'true' : nothing}
        aria-describedby="${fieldId}-note"
        .value=${live(category)}
        @change=${({ target }: Event) => {
          if (target instanceof HTMLSelectElement) context.queue.setCategory(id, target.value);
        }}
      >
        <option value="" ?selected=${category === ''}>${t('choose')}</option>
        ${documentCategoryGroups.map((group) => {
          const choices = categories.filter((choice) => choice.group === group);
          const options = choices.map(
            (choice) =>
              html`<option value=${choice.id} lang=${language} ?selected=${choice.id === category}>
                ${choice.label}
              </option>`,
          );
          return choices.length === 0
            ? nothing
            : html`<optgroup label=${t(`group.${group}`)}>${options}</optgroup>`;
        })}
      </select>`,
    )}
  </div>`;
}
