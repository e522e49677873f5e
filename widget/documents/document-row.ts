// One row of the file list: the name of the file, its state, and its buttons.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import { documentCategoryGroups } from '../../shared/application/document-categories.ts';
import { toDeliveryState, toShownCategory } from '../app/attachment-parts.ts';
import type { StepContext } from '../app/feature.ts';
import { isSecondClick, toPartnerLanguage, toProblemText } from '../app/parts.ts';
import type { DocumentProblem, QueuedDocument, UploadedDocument } from '../app/store.ts';
import { renderErrorLine, renderWithArrow } from '../fields/field.ts';
import { icons } from '../fields/icons.ts';
import {
  canChangeCategory,
  canRetry,
  toRows,
  type DocumentRow,
  type DocumentsContext,
} from './document-queue.ts';

type ProblemContext = Pick<StepContext, 't' | 'format' | 'configuration'>;

/**
 * A row has the same height while its file is uploaded, held, and sent, so that no row moves. The list of categories becomes two
 * lines of text: the category, and that the lender has the document.
 */
export function renderRow(context: DocumentsContext, row: DocumentRow): TemplateResult {
  const { t } = context;
  const { id, thumbnail } = row;
  const name = toDocumentName(context, row);
  const isPhoto = /(jpe?g|png|hei[cf]|hif)$/i.test(name);
  const progress = 'file' in row && row.state !== 'failed' ? row.progress : undefined;
  return html`<li class="file" part="file">
    ${thumbnail ?? icons[isPhoto ? 'image' : 'document']}
    <p class="name" id="document-${id}" tabindex="-1">${name}</p>
    <p class="facts hint figures" part="hint">
      ${renderFacts(context, row)}
      ${
        'status' in row && row.status.fromPhone && !row.original
          ? html` · ${t('documents.from-phone')}`
          : nothing
      }
    </p>
    ${renderMainAction(context, row, name)}
    <div class="wide ${'file' in row && row.state === 'failed' ? '' : 'steady'}">
      ${
        canChangeCategory(row)
          ? html`${'file' in row ? renderReason(context, row) : renderChangeProblem(t, row)}
            ${renderCategory(context, row, name)}`
          : 'file' in row
            ? renderReason(context, row)
            : html`${renderLabel(context, row.wantedCategory ?? row.status.category)}
              ${renderUploaded(context, row.status)} ${renderChangeProblem(t, row)}`
      }
      ${'file' in row && canRetry(row) && row.wasRetried ? renderAction(context, row, name, 'remove') : nothing}
    </div>
    ${
      progress === undefined
        ? nothing
        : html`<progress
            max="100"
            .value=${Math.floor(progress * 100)}
            aria-label=${name}
          ></progress>`
    }
  </li>`;
}

export function toDocumentName({ t }: Pick<StepContext, 't'>, row: DocumentRow): string {
  if ('file' in row) return row.file.name;
  const { status, original } = row;
  return status.name ?? original?.name ?? t('documents.unnamed', { number: status.number });
}

/** The size, and what happens with the file before the lender has it. */
function renderFacts({ t, format, state }: StepContext, row: DocumentRow): TemplateResult {
  const toFacts = (bytes: number, text?: string) =>
    html`${format.bytes(bytes)}${text === undefined ? nothing : html` · ${text}`}`;
  if (!('file' in row)) {
    const { status, isRemoving } = row;
    if (isRemoving) return toFacts(status.bytes, t('documents.state.removing'));
    return toFacts(status.bytes, status.changeable ? t('documents.state.held') : undefined);
  }
  const { file, isPreparing, keepsLocation, isRemoving, progress, waitsForScan } = row;
  if (isPreparing) return html`${t('documents.preparing')}`;
  const location = keepsLocation ? html`<br />${t('documents.location')}` : nothing;
  const percent = Math.floor(progress * 100);
  const texts = {
    queued: waitsForScan ? 'checking-later' : 'queued',
    sending: isRemoving ? 'removing' : progress < 1 ? 'uploading' : 'finishing',
    failed: undefined,
  } as const;
  const text = state.isOffline && row.state !== 'failed' ? 'offline' : texts[row.state];
  return html`${toFacts(file.size, text && t(`documents.state.${text}`, { percent }))}${location}`;
}

function renderChangeProblem(
  t: StepContext['t'],
  { problem }: UploadedDocument,
): TemplateResult | typeof nothing {
  return problem ? renderErrorLine(t, toProblemText(t, problem)) : nothing;
}

function renderReason(
  context: StepContext,
  { file, problem }: QueuedDocument,
): TemplateResult | typeof nothing {
  if (!problem) return nothing;
  const { t } = context;
  if (problem.kind !== 'heic')
    return renderErrorLine(t, toDocumentProblemText(context, file, problem));
  return html`${renderErrorLine(t, t('documents.problem.heic'))}
    <p class="hint" part="hint">${t('documents.problem.heic.help')}</p>`;
}

function renderUploaded(context: StepContext, document: DocumentStatus): TemplateResult {
  const { t } = context;
  const state = document.problem === 'document-infected' ? 'infected' : toDeliveryState(document);
  return renderFileStatus(t(`documents.state.${state}`), state === 'delivered');
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
  if (problem.kind === 'heic')
    return `${t('documents.problem.heic')} ${t('documents.problem.heic.help')}`;
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

/**
 * One button in one place: Cancel during the upload, Undo until the document is sent, Retry after a failure that may pass, and
 * Remove for a file that cannot be sent. A file that fails again after Retry has Remove too, because Retry alone may never succeed.
 */
function renderMainAction(
  context: DocumentsContext,
  row: DocumentRow,
  name: string,
): TemplateResult | typeof nothing {
  if (row.isRemoving) return nothing;
  if ('file' in row) {
    return renderAction(context, row, name, toFileAction(row));
  }
  return row.status.changeable ? renderAction(context, row, name, 'undo') : nothing;
}

function toFileAction(file: QueuedDocument): 'cancel' | 'undo' | 'retry' | 'remove' {
  if (file.state === 'failed') return canRetry(file) ? 'retry' : 'remove';
  return file.progress < 1 ? 'cancel' : 'undo';
}

function renderAction(
  { t, queue, state, focus }: DocumentsContext,
  { id }: DocumentRow,
  name: string,
  action: 'cancel' | 'undo' | 'retry' | 'remove',
): TemplateResult {
  const act = (event: MouseEvent) => {
    if (isSecondClick(event)) return;
    if (action === 'retry') {
      queue.retry(id);
      return focus(`document-${id}`);
    }
    const rows = toRows(state.documents);
    const index = rows.findIndex((row) => row.id === id);
    const next = rows[index + 1] ?? rows[index - 1];
    let isGone = false;
    queue.remove(id, () => {
      isGone = true;
      focus(next ? `document-${next.id}` : 'document-files');
    });
    // The button disappears while the BFF removes the document.
    if (!isGone) focus(`document-${id}`);
  };
  return html`<button
    type="button"
    class="quiet"
    part="link"
    aria-label=${t(`documents.${action}.for`, { name })}
    @click=${act}
  >
    ${t(`documents.${action}`)}
  </button>`;
}

function renderLabel(context: StepContext, id: string): TemplateResult {
  return html`<p lang=${toPartnerLanguage(context)}>${toCategoryLabel(context, id)}</p>`;
}

export function toCategoryLabel({ configuration }: StepContext, id: string): string {
  return configuration.documents.categories.find((category) => category.id === id)?.label ?? id;
}

function renderCategory(context: DocumentsContext, row: DocumentRow, name: string): TemplateResult {
  const { t, configuration } = context;
  const { id } = row;
  const category = 'file' in row ? row.category : toShownCategory(row);
  const fieldId = `document-category-${id}`;
  const language = toPartnerLanguage(context);
  const { categories } = configuration.documents;
  return html`<label class="visually-hidden" part="label" for=${fieldId}
      >${t('documents.category')} ${name}</label
    >
    ${renderWithArrow(
      html`<select
        class="control ${category === '' ? 'open' : ''}"
        part="input"
        id=${fieldId}
        aria-describedby=${category === '' ? 'document-category-hint' : nothing}
        .value=${live(category)}
        @change=${({ target }: Event) => {
          if (target instanceof HTMLSelectElement) context.queue.setCategory(id, target.value);
        }}
      >
        ${
          category === '' || 'file' in row
            ? html`<option value="" ?selected=${category === ''}>
                ${t('documents.category.choose')}
              </option>`
            : nothing
        }
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
    )}`;
}
