// One file that is not with the BFF yet: what it is, how far it is, and the one thing that can be done with it.

import { html, nothing, type TemplateResult } from 'lit';
import {
  documentCategoryGroups,
  type DocumentCategoryGroup,
} from '../../shared/application/document-category-groups.ts';
import { icons } from '../fields/icons.ts';
import { canRetry, type DocumentProblem, type QueuedDocument } from '../flow/document-queue.ts';
import type { MessageKey } from '../i18n/text.ts';
import type { StepContext } from './step-context.ts';

export function renderQueuedFile(context: StepContext, document: QueuedDocument): TemplateResult {
  const { t, format } = context;
  const { file, state, share, problem } = document;
  const percent = Math.round(share * 100);
  return html`<li class="file">
    ${file.type.startsWith('image/') ? icons.image : icons.document}
    <div>
      <p class="name">${file.name}</p>
      <p class="hint">${format.bytes(file.size)}</p>
    </div>
    ${renderAction(context, document)}
    ${state === 'chosen' ? renderCategory(context, document) : nothing}
    ${
      state === 'sending' || state === 'queued'
        ? html`<div class="wide">
            <progress max="100" .value=${percent} aria-label=${file.name}></progress>
            <p class="hint figures">${t('documents.state.uploading', { percent })}</p>
          </div>`
        : nothing
    }
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
  const { maxBytes, maxFiles } = configuration.documents;
  switch (problem.kind) {
    case 'failed':
      return t(`problem.${problem.code}`);
    case 'type':
      return t('documents.problem.type', { types: toTypes({ format, configuration }) });
    case 'size':
      return t('documents.problem.size', {
        actual: format.bytes(file.size),
        size: format.bytes(maxBytes),
      });
    case 'count':
      return t('documents.problem.count', { count: maxFiles });
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

function renderAction(context: StepContext, document: QueuedDocument): TemplateResult {
  const { t, flow } = context;
  const documents = flow.parts?.documents;
  const { id, file, state } = document;
  const button = (key: 'cancel' | 'retry' | 'remove', onClick: () => void) =>
    html`<button
      type="button"
      class="quiet"
      aria-label=${t(`documents.${key}.for`, { name: file.name })}
      @click=${onClick}
    >
      ${t(`documents.${key}`)}
    </button>`;
  if (state === 'queued' || state === 'sending')
    return button('cancel', () => documents?.cancel(id));
  const remove = button('remove', () => documents?.remove(id));
  return canRetry(document)
    ? html`<span>${button('retry', () => documents?.retry(id))} ${remove}</span>`
    : remove;
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
