// One row of the file list: the name of the file, its state, and its buttons.

import { html, nothing, type TemplateResult } from 'lit';
import { documentCategoryGroups } from '../../shared/application/document-categories.ts';
import { toDeliveryState, toShownCategory } from '../app/attachment-parts.ts';
import type { StepContext } from '../app/feature.ts';
import { isSecondClick, toPartnerLanguage, toProblemText } from '../app/parts.ts';
import type { DocumentProblem, QueuedDocument, UploadedDocument } from '../app/store.ts';
import { renderErrorLine } from '../fields/errors.ts';
import { renderWithArrow } from '../fields/field.ts';
import { icons } from '../fields/icons.ts';
import { laterIcons } from '../fields/later-icons.ts';
import { live } from '../fields/live.ts';
import {
  canChangeCategory,
  canRetry,
  toRows,
  type DocumentRow,
  type DocumentsContext,
} from './document-queue.ts';
import { isPhotoName } from './prepare-photo.ts';

type RowAction = 'cancel' | 'undo' | 'retry' | 'remove';

type ProblemContext = Pick<StepContext, 't' | 'format' | 'configuration'>;

/**
 * A row has the same height while its file is uploaded, held, and sent, so that no row moves. The list of categories becomes two
 * lines of text: the category, and that the lender has the document.
 */
export function renderRow(context: DocumentsContext, row: DocumentRow): TemplateResult {
  const { id, thumbnail } = row;
  const name = toDocumentName(context, row);
  const isFailed = 'file' in row && row.state === 'failed';
  const problem = 'file' in row ? renderReason(context, row) : renderChangeProblem(context, row);
  return html`<li class="file" part="file">
    ${thumbnail ?? laterIcons[isPhotoName(name) ? 'image' : 'document']}
    <p class="name" id="document-${id}" tabindex="-1">${name}</p>
    <p class="facts hint figures" part="hint">${renderFacts(context, row)}</p>
    ${renderMainAction(context, row, name)}
    <div class="wide ${isFailed ? '' : 'steady'}">
      ${
        // One template for files and documents, so that the list of categories keeps the focus after the upload.
        canChangeCategory(row)
          ? html`${problem} ${renderCategory(context, row, name)}`
          : 'file' in row
            ? problem
            : html`${renderSent(context, row)} ${problem}`
      }
      ${'file' in row && canRetry(row) && row.wasRetried ? renderAction(context, row, name, 'remove') : nothing}
    </div>
    ${
      'file' in row && !isFailed
        ? html`<progress
            max="100"
            .value=${Math.floor(row.progress * 100)}
            aria-label=${name}
          ></progress>`
        : nothing
    }
  </li>`;
}

export function toDocumentName({ t }: Pick<StepContext, 't'>, row: DocumentRow): string {
  if ('file' in row) return row.file.name;
  const { status, original } = row;
  return status.name ?? original?.name ?? t('documents.unnamed', { number: status.number });
}

/** The size, and what happens with the file before the lender has it. */
function renderFacts({ t, format, state }: StepContext, row: DocumentRow): unknown {
  const join = (...facts: readonly (string | false | undefined)[]) =>
    facts.filter(Boolean).join(' · ');
  if (!('file' in row)) {
    const { status, original, isRemoving } = row;
    const text = isRemoving ? 'removing' : status.changeable ? 'held' : undefined;
    const isFromPhone = status.fromPhone && !original;
    return join(
      format.bytes(status.bytes),
      text && t(`documents.state.${text}`),
      isFromPhone && t('documents.from-phone'),
    );
  }
  const { file, isPreparing, keepsLocation, isRemoving, progress, waitsForScan } = row;
  if (isPreparing) return t('documents.preparing');
  const percent = Math.floor(progress * 100);
  const texts = {
    queued: waitsForScan ? 'checking-later' : 'queued',
    sending: isRemoving ? 'removing' : progress < 1 ? 'uploading' : 'finishing',
    failed: undefined,
  } as const;
  const text = state.isOffline && row.state !== 'failed' ? 'offline' : texts[row.state];
  const facts = join(format.bytes(file.size), text && t(`documents.state.${text}`, { percent }));
  return keepsLocation ? html`${facts}<br />${t('documents.location')}` : facts;
}

function renderChangeProblem(
  { t }: StepContext,
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

/** The category that the document was sent with, and its delivery. */
function renderSent(
  context: StepContext,
  { status, wantedCategory }: UploadedDocument,
): TemplateResult {
  const { t } = context;
  const state = status.problem === 'document-infected' ? 'infected' : toDeliveryState(status);
  const label = toCategoryLabel(context, wantedCategory ?? status.category);
  return html`<p lang=${toPartnerLanguage(context)}>${label}</p>
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
  const { maxBytes, maxFiles, maxTotalBytes } = configuration.documents;
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
  if ('file' in row) return renderAction(context, row, name, toFileAction(row));
  return row.status.changeable ? renderAction(context, row, name, 'undo') : nothing;
}

function toFileAction(file: QueuedDocument): RowAction {
  if (file.state === 'failed') return canRetry(file) ? 'retry' : 'remove';
  return file.progress < 1 ? 'cancel' : 'undo';
}

function renderAction(
  { t, queue, state, focus }: DocumentsContext,
  { id }: DocumentRow,
  name: string,
  action: RowAction,
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
