// One file that is not with the BFF yet: what it is, how far it is, and the one thing that can be done with it.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import {
  documentCategoryGroups,
  type DocumentCategoryGroup,
} from '../../shared/application/document-category-groups.ts';
import { icons } from '../fields/icons.ts';
import { canRetry, type DocumentProblem, type QueuedDocument } from '../flow/document-queue.ts';
import type { MessageKey } from '../i18n/text.ts';
import { toProblemText } from './parts.ts';
import type { StepContext } from './step-context.ts';

export function renderQueuedFile(context: StepContext, document: QueuedDocument): TemplateResult {
  const { format } = context;
  const { id, file, state, problem } = document;
  return html`<li class="file">
    ${file.type.startsWith('image/') ? icons.image : icons.document}
    <div>
      <p class="name" id="document-${id}" tabindex="-1">${file.name}</p>
      <p class="hint">${format.bytes(file.size)}</p>
    </div>
    ${renderAction(context, document)}
    ${state === 'chosen' ? renderCategory(context, document) : nothing}
    ${state === 'sending' || state === 'queued' ? renderProgress(context, document) : nothing}
    ${
      problem
        ? html`<p class="error wide">
            ${icons.alert}<span>${toProblemSentence(context, document.file, problem)}</span>
          </p>`
        : nothing
    }
  </li>`;
}

/** Why a file was not sent, in the applicant's words. */
export function toProblemSentence(
  { t, format, configuration }: Pick<StepContext, 't' | 'format' | 'configuration'>,
  file: Pick<File, 'size'>,
  problem: DocumentProblem,
): string {
  const { maxBytes, maxFiles, maxTotalBytes = 0 } = configuration.documents;
  switch (problem.kind) {
    case 'failed':
      return toProblemText(t, problem.code, problem.retryAfterMs);
    case 'type':
      return t('documents.problem.type', { types: toTypes({ format, configuration }) });
    case 'size':
      return t('documents.problem.size', {
        actual: format.bytes(file.size),
        size: format.bytes(maxBytes),
      });
    case 'count':
      return t('documents.problem.count', { count: maxFiles });
    case 'space':
      return t('documents.problem.space', { total: format.bytes(maxTotalBytes) });
    case 'empty':
    case 'cancelled':
      return t(`documents.problem.${problem.kind}`);
  }
}

/** `PDF, JPG or PNG`; spellings of the same type stand once. */
export function toTypes({
  format,
  configuration,
}: Pick<StepContext, 'format' | 'configuration'>): string {
  const extensions = configuration.documents.extensions.filter((extension) => extension !== 'jpeg');
  return format.either(extensions.map((extension) => extension.toUpperCase()));
}

function renderProgress(
  { t }: StepContext,
  { file, state, share }: QueuedDocument,
): TemplateResult {
  const percent = Math.floor(share * 100);
  const sentence =
    state === 'queued'
      ? t('documents.state.queued')
      : share < 1
        ? t('documents.state.uploading', { percent })
        : t('documents.state.passing');
  return html`<div class="wide">
    <progress max="100" .value=${percent} aria-label=${file.name}></progress>
    <p class="hint figures">${sentence}</p>
  </div>`;
}

/** Once all of a file is with the BFF there is nothing left to cancel. */
function renderAction(
  context: StepContext,
  document: QueuedDocument,
): TemplateResult | typeof nothing {
  const { t, flow, focusField } = context;
  const documents = flow.parts?.documents;
  const { id, file, state, share } = document;
  const button = (key: 'cancel' | 'retry' | 'remove', act: () => void, next: () => string) =>
    html`<button
      type="button"
      class="quiet"
      aria-label=${t(`documents.${key}.for`, { name: file.name })}
      @click=${(event: MouseEvent) => {
        // The second press of a double-click would meet the row that has taken this one's place.
        if (event.detail > 1) return;
        act();
        focusField(next());
      }}
    >
      ${t(`documents.${key}`)}
    </button>`;
  const itself = () => `document-${id}`;
  if (state === 'queued' || state === 'sending') {
    return share < 1 ? button('cancel', () => documents?.cancel(id), itself) : nothing;
  }
  const following = toFollowing(documents?.queued ?? [], id);
  const remove = button(
    'remove',
    () => documents?.remove(id),
    () => following,
  );
  return canRetry(document)
    ? html`<span>${button('retry', () => documents?.retry(id), itself)} ${remove}</span>`
    : remove;
}

/** Where the focus goes when a row disappears: to its neighbour, or to choosing files. */
function toFollowing(queued: readonly QueuedDocument[], id: number): string {
  const index = queued.findIndex((candidate) => candidate.id === id);
  const neighbour = queued[index + 1] ?? queued[index - 1];
  return neighbour ? `document-${neighbour.id}` : 'document-files';
}

function renderCategory(
  { t, flow, configuration }: StepContext,
  { id, file, category, lacksCategory }: QueuedDocument,
): TemplateResult {
  const fieldId = `document-category-${id}`;
  const { categories } = configuration.documents;
  const groups = documentCategoryGroups.filter((group) =>
    categories.some((candidate) => candidate.group === group),
  );
  return html`<div class="field wide ${lacksCategory ? 'wrong' : ''}">
    <label for=${fieldId}
      >${t('documents.category')}<span class="visually-hidden"> ${file.name}</span></label
    >
    ${
      lacksCategory
        ? html`<p class="error" id="${fieldId}-error">
            ${icons.alert}<span>${t('documents.category.required', { name: file.name })}</span>
          </p>`
        : nothing
    }
    <div class="selecting">
      <select
        class="control"
        id=${fieldId}
        aria-invalid=${lacksCategory ? 'true' : nothing}
        aria-describedby=${lacksCategory ? `${fieldId}-error` : nothing}
        .value=${live(category)}
        @change=${(event: Event) => {
          event.stopPropagation();
          if (event.target instanceof HTMLSelectElement)
            flow.parts?.documents.choose(id, event.target.value);
        }}
      >
        <option value="" ?selected=${category === ''}>${t('choose')}</option>
        ${groups.map(
          (group) =>
            html`<optgroup label=${t(groupLabels[group])}>
              ${categories
                .filter((candidate) => candidate.group === group)
                .map(
                  (candidate) =>
                    html`<option value=${candidate.id} ?selected=${candidate.id === category}>
                      ${candidate.label}
                    </option>`,
                )}
            </optgroup>`,
        )}</select
      >${icons.down}
    </div>
  </div>`;
}

const groupLabels = {
  'bank-statements': 'group.bank-statements',
  identity: 'group.identity-documents',
  financials: 'group.financials',
  ownership: 'group.ownership',
  debt: 'group.debt',
  lender: 'group.lender',
  other: 'group.other',
} as const satisfies Record<DocumentCategoryGroup, MessageKey>;
