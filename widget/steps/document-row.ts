// One file, from when it is chosen until the lender has it: what it is, how far it is, and the one thing that can be done with it.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import { documentCategoryGroups } from '../../shared/application/document-categories.ts';
import { renderErrorLine, renderWithArrow } from '../fields/field.ts';
import { icons } from '../fields/icons.ts';
import type { DocumentRow } from '../flow/document-queue.ts';
import { canRetry, type DocumentProblem, type QueuedDocument } from '../flow/queued-document.ts';
import { toState } from './given.ts';
import { toProblemText } from './parts.ts';
import { toPartnerLanguage } from './partner-texts.ts';
import type { StepContext } from './step-context.ts';

/** As high in every state it can be in on this page, so that no row moves when one above it begins, ends or fails; one that cannot begin takes what it needs. */
export function renderRow(context: StepContext, row: DocumentRow): TemplateResult {
  const { t, format } = context;
  const { id, thumbnail, original, queued, sent } = row;
  const name =
    queued?.file.name ?? sent?.name ?? t('documents.unnamed', { number: sent?.number ?? 0 });
  const isPicture = /(jpe?g|png)$/i.test(name);
  return html`<li class="file" part="file">
    ${thumbnail ?? icons[isPicture ? 'image' : 'document']}
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
      class="wide ${original && !queued?.isUseless ? 'steady' : ''} ${queued?.state === 'failed' ? 'failed' : ''}"
    >
      ${queued ? renderQueued(context, queued) : sent ? renderSent(context, sent) : nothing}
    </div>
  </li>`;
}

function renderQueued(context: StepContext, document: QueuedDocument): TemplateResult {
  const { t, flow, focusField } = context;
  const { id, file, category, state, problem, share, waitsForCheck } = document;
  const reason = problem ? renderErrorLine(t, toProblemSentence(context, file, problem)) : nothing;
  if (state === 'chosen') return html`${reason} ${renderCategory(context, document)}`;
  if (state === 'failed') {
    const retry = () => {
      flow.parts?.documents.retry(id);
      focusField(`document-${id}`);
    };
    return html`${reason}
    ${canRetry(document) ? renderButton(context, 'retry', file.name, retry) : nothing}`;
  }
  const percent = Math.floor(share * 100);
  return html`${renderLabel(context, category)}
    <p class="hint figures" part="hint">
      ${
        flow.life.connection.isOffline
          ? t('documents.state.offline')
          : state === 'queued'
            ? t(waitsForCheck ? 'documents.state.checking-later' : 'documents.state.queued')
            : share < 1
              ? t('documents.state.uploading', { percent })
              : t('documents.state.finishing')
      }
    </p>
    <progress max="100" .value=${percent} aria-label=${file.name}></progress>`;
}

function renderSent(context: StepContext, document: DocumentStatus): TemplateResult {
  const { t } = context;
  const isDelivered = document.status === 'delivered';
  const state = document.problem === 'document-infected' ? 'infected' : toState(document);
  return html`${renderLabel(context, document.category)}
    <p class="state ${isDelivered ? 'done' : ''}">
      ${isDelivered ? icons.check : nothing}${t(`documents.state.${state}`)}
    </p>`;
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
    case 'heic':
    case 'empty':
    case 'canceled':
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

/** Once all of a file is with the BFF there is nothing left to cancel. */
function renderAction(
  context: StepContext,
  { id, file, state, share }: QueuedDocument,
): TemplateResult | typeof nothing {
  const { flow, focusField } = context;
  const documents = flow.parts?.documents;
  if (state === 'queued' || state === 'sending') {
    const cancel = () => {
      documents?.cancel(id);
      focusField(`document-${id}`);
    };
    return share < 1 ? renderButton(context, 'cancel', file.name, cancel) : nothing;
  }
  return renderButton(context, 'remove', file.name, () => {
    const following = toFollowing(documents?.rows ?? [], id);
    documents?.remove(id);
    focusField(following);
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
      // The second press of a double-click would meet what has taken this one's place.
      if (event.detail <= 1) act();
    }}
  >
    ${t(`documents.${key}`)}
  </button>`;
}

/** Where the focus goes when a row disappears: to its neighbour, or to choosing files. */
function toFollowing(rows: readonly DocumentRow[], id: number): string {
  const index = rows.findIndex((candidate) => candidate.id === id);
  const neighbour = rows[index + 1] ?? rows[index - 1];
  return neighbour ? `document-${neighbour.id}` : 'document-files';
}

function renderLabel(context: StepContext, id: string): TemplateResult {
  const { categories } = context.configuration.documents;
  const label = categories.find((category) => category.id === id)?.label ?? id;
  return html`<p lang=${toPartnerLanguage(context)}>${label}</p>`;
}

function renderCategory(
  context: StepContext,
  { id, file, category, isSuggested, lacksCategory }: QueuedDocument,
): TemplateResult {
  const { t, flow, configuration } = context;
  const fieldId = `document-category-${id}`;
  const { categories } = configuration.documents;
  const groups = documentCategoryGroups.filter((group) =>
    categories.some((candidate) => candidate.group === group),
  );
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
          if (target instanceof HTMLSelectElement) flow.parts?.documents.choose(id, target.value);
        }}
      >
        <option value="" ?selected=${category === ''}>${t('choose')}</option>
        ${groups.map(
          (group) =>
            html`<optgroup label=${t(`group.${group}`)}>
              ${categories
                .filter((candidate) => candidate.group === group)
                .map(
                  (candidate) =>
                    html`<option
                      value=${candidate.id}
                      lang=${toPartnerLanguage(context)}
                      ?selected=${candidate.id === category}
                    >
                      ${candidate.label}
                    </option>`,
                )}
            </optgroup>`,
        )}
      </select>`,
    )}
  </div>`;
}
