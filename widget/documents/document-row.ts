// One row of the file list: the file's name, its state, and what the applicant can do with it.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import { documentCategoryGroups } from '../../shared/application/document-categories.ts';
import { toDeliveryState } from '../app/attachment-parts.ts';
import type { StepContext } from '../app/feature.ts';
import { toPartnerLanguage, toProblemText as toFailureText } from '../app/parts.ts';
import type { DocumentProblem, QueuedDocument } from '../app/state.ts';
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

/**
 * The class `steady` gives the row the same height in all states, so that no row moves while another one is sent or fails. The
 * row of an unusable file, or of a file that another page sent, is as high as its content.
 */
export function renderRow(context: DocumentsContext, row: DocumentRow): TemplateResult {
  const { t, format } = context;
  const { id, thumbnail, original } = row;
  const queued = 'file' in row ? row : undefined;
  const sent = 'status' in row ? row.status : undefined;
  const name =
    queued?.file.name ?? sent?.name ?? t('documents.unnamed', { number: sent?.number ?? 0 });
  const isPhoto = /(jpe?g|png)$/i.test(name);
  return html`<li class="file" part="file">
    ${thumbnail ?? icons[isPhoto ? 'image' : 'document']}
    <div>
      <p class="name" id="document-${id}" tabindex="-1">${name}</p>
      <p class="hint" part="hint">
        ${
          queued?.isPreparing
            ? t('documents.preparing')
            : format.bytes(queued?.file.size ?? sent?.bytes ?? 0)
        }
        ${queued?.keepsLocation ? t('documents.location') : nothing}
      </p>
    </div>
    ${queued ? renderAction(context, queued) : nothing}
    <div
      class="wide ${original && !queued?.isUnusable ? 'steady' : ''} ${queued?.state === 'failed' ? 'failed' : ''}"
    >
      ${queued ? renderQueued(context, queued) : sent ? renderSent(context, sent) : nothing}
    </div>
  </li>`;
}

function renderQueued(context: DocumentsContext, document: QueuedDocument): TemplateResult {
  const { t, state } = context;
  const { id, file, category, problem, progress, waitsForScan } = document;
  const reason = problem ? renderErrorLine(t, toProblemText(context, file, problem)) : nothing;
  if (document.state === 'chosen') return html`${reason} ${renderCategory(context, document)}`;
  if (document.state === 'failed') {
    const retry = () => {
      context.queue.retry(id);
      context.focus(`document-${id}`);
    };
    return html`${reason}
    ${canRetry(document) ? renderButton(context, 'retry', file.name, retry) : nothing}`;
  }
  const percent = Math.floor(progress * 100);
  return html`${renderLabel(context, category)}
    <p class="hint figures" part="hint">
      ${
        state.isOffline
          ? t('documents.state.offline')
          : document.state === 'queued'
            ? t(waitsForScan ? 'documents.state.checking-later' : 'documents.state.queued')
            : progress < 1
              ? t('documents.state.uploading', { percent })
              : t('documents.state.finishing')
      }
    </p>
    <progress max="100" .value=${percent} aria-label=${file.name}></progress>`;
}

function renderSent(context: StepContext, document: DocumentStatus): TemplateResult {
  const { t } = context;
  const isDelivered = document.status === 'delivered';
  const state = document.problem === 'document-infected' ? 'infected' : toDeliveryState(document);
  return html`${renderLabel(context, document.category)}
    <p class="state ${isDelivered ? 'done' : ''}">
      ${isDelivered ? icons.check : nothing}${t(`documents.state.${state}`)}
    </p>`;
}

/** Why a file was not sent. */
export function toProblemText(
  context: ProblemContext,
  file: Pick<File, 'size'>,
  problem: DocumentProblem,
): string {
  const { t, format, configuration } = context;
  const { maxBytes, maxFiles, maxTotalBytes = 0 } = configuration.documents;
  if (problem.kind === 'failed') return toFailureText(t, problem.code, problem.retryAfterMs);
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

function renderAction(
  context: DocumentsContext,
  document: QueuedDocument,
): TemplateResult | typeof nothing {
  const { id, file, progress } = document;
  if (isUploading(document)) {
    const cancel = () => {
      context.queue.cancel(id);
      context.focus(`document-${id}`);
    };
    // When the BFF has the whole file, canceling has no effect.
    return progress < 1 ? renderButton(context, 'cancel', file.name, cancel) : nothing;
  }
  return renderButton(context, 'remove', file.name, () => {
    const rows = toRows(context.state.documents);
    const index = rows.findIndex((row) => row.id === id);
    const neighbor = rows[index + 1] ?? rows[index - 1];
    context.queue.remove(id);
    context.focus(neighbor ? `document-${neighbor.id}` : 'document-files');
  });
}

function renderButton(
  { t }: StepContext,
  key: 'cancel' | 'retry' | 'remove',
  name: string,
  act: () => void,
): TemplateResult {
  return html`<button
    type="button"
    class="quiet"
    part="link"
    aria-label=${t(`documents.${key}.for`, { name })}
    @click=${(event: MouseEvent) => {
      // The second click of a double-click would hit the button that replaced this one.
      if (event.detail <= 1) act();
    }}
  >
    ${t(`documents.${key}`)}
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
  const groups = documentCategoryGroups.map((group) => ({
    group,
    choices: configuration.documents.categories.filter((choice) => choice.group === group),
  }));
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
        ${groups.map(({ group, choices }) =>
          choices.length === 0
            ? nothing
            : html`<optgroup label=${t(`group.${group}`)}>
                ${choices.map(
                  (choice) =>
                    html`<option
                      value=${choice.id}
                      lang=${language}
                      ?selected=${choice.id === category}
                    >
                      ${choice.label}
                    </option>`,
                )}
              </optgroup>`,
        )}
      </select>`,
    )}
  </div>`;
}
