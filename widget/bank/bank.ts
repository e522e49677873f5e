// The bank step: the applicant shares a bank report, from the demonstration bank or from the host page's aggregator.

import { css, html, nothing, type TemplateResult } from 'lit';
import type { BankReportStatus } from '../../shared/api/attachments.ts';
import type { Result } from '../api/funding-api.ts';
import {
  renderStatementsHint,
  hasBankReport,
  renderStatus,
  renderWaitsForApplication,
  toDeliveryState,
} from '../app/attachment-parts.ts';
import { toReference } from '../app/attachments.ts';
import type { Feature, FeatureEnvironment, StepContext, StepView } from '../app/feature.ts';
import { type NoticeKind, renderButton, renderProblem, renderWaiting } from '../app/parts.ts';
import { createRetry } from '../app/retry.ts';
import type { AppState } from '../app/store.ts';
import { FundingBankRequestEvent } from '../app/later-events.ts';
import type { renderDemonstration } from './demonstration-bank.ts';

interface DemonstrationModule {
  readonly renderDemonstration: typeof renderDemonstration;
}

export interface BankFeature extends Feature {
  readonly steps: { readonly bank: StepView };
  /** Sends a bank report. Reports are sent one at a time, and again while the BFF is busy. */
  readonly send: (report: unknown) => Promise<Result<BankReportStatus>>;
}

export const bankStyles = css`
  .panel {
    padding: calc(var(--_unit) * 6);
    border: var(--_line) solid var(--_hairline);
    border-radius: var(--_radius);
  }
`;

/** @param load loads the demonstration bank, which only the sandbox has. */
export function createBank(
  { store, api, polling }: FeatureEnvironment,
  load: () => Promise<DemonstrationModule> = () => import('./demonstration-bank.ts'),
): BankFeature {
  const retryWhileBusy = createRetry(polling);
  let demonstrationModule: DemonstrationModule | undefined;
  /** Aborted when the application ends. */
  let abort = new AbortController();
  let lastReport: Promise<unknown> = Promise.resolve();

  function send(report: unknown): Promise<Result<BankReportStatus>> {
    const { signal } = abort;
    const sending = lastReport.then(() => sendReport(report, signal));
    lastReport = sending;
    return sending;
  }

  async function sendReport(
    report: unknown,
    signal: AbortSignal,
  ): Promise<Result<BankReportStatus>> {
    if (signal.aborted || !store.state.form) {
      return { ok: false, code: 'application-missing', errors: [] };
    }
    store.merge('bank', { isSending: true, problem: undefined });
    const result = await retryWhileBusy(() => api.submitAssetReport(report), { signal });
    if (signal.aborted) return result;
    store.merge('bank', {
      isSending: false,
      ...(result.ok
        ? { report: result.value, demonstration: 'closed' }
        : { problem: result.code, retryAfterMs: result.retryAfterMs }),
    });
    return result;
  }

  async function openDemonstration({ focus }: StepContext): Promise<void> {
    const { signal } = abort;
    store.merge('bank', { demonstration: 'loading', problem: undefined });
    try {
      demonstrationModule = await load();
    } catch {
      if (!signal.aborted) store.merge('bank', { demonstration: 'closed', problem: 'network' });
      return;
    }
    if (signal.aborted) return;
    store.merge('bank', { demonstration: 'open' });
    focus('bank-title');
  }

  function renderConnection(context: StepContext): TemplateResult {
    const { t, state, configuration, dispatch } = context;
    const { demonstration } = state.bank;
    if (demonstration === 'open' && demonstrationModule) {
      return demonstrationModule.renderDemonstration(context, store, send);
    }
    const start = () => {
      if (configuration.bankConnection === 'demonstration') void openDemonstration(context);
      else dispatch(new FundingBankRequestEvent());
    };
    return html`<div class="group">
      <p>${t('bank.share.text')}</p>
      ${renderStatementsHint(context)}
      <div class="actions">
        <button type="button" class="button" part="button" id="bank-start" @click=${start}>
          ${t('bank.start')}
        </button>
      </div>
      ${demonstration === 'loading' ? renderWaiting(t('loading')) : nothing}
    </div>`;
  }

  return {
    send,
    steps: {
      bank: {
        toHeading: ({ t }) => ({ title: t('step.bank.title'), why: t('step.bank.why') }),
        render: (context) => {
          const { t, state, actions } = context;
          const { report, problem, retryAfterMs, isSending } = state.bank;
          const isDone = hasBankReport(state.bank);
          return html`
            ${renderWaitsForApplication(context)}
            ${report && renderStatus('bank-status', t(`bank.${toDeliveryState(report)}`), toKind(report))}
            ${renderProblem(context, problem, retryAfterMs)}
            ${isSending ? renderWaiting(t('bank.sending')) : nothing}
            ${isDone || isSending ? nothing : renderConnection(context)}
            <div class="actions">
              ${renderButton(
                t(isDone ? 'continue' : 'bank.skip'),
                actions.next,
                isDone ? 'button' : 'button secondary',
              )}
            </div>
          `;
        },
      },
    },
    react: (before, after) => {
      if (!hasEnded(before, after)) return;
      abort.abort();
      abort = new AbortController();
    },
  };
}

function toKind({ status }: BankReportStatus): NoticeKind {
  if (status === 'delivered') return 'success';
  return status === 'rejected' ? 'error' : 'information';
}

/** Returns true if the application was closed or rejected, or another one took its place. */
function hasEnded(before: AppState, after: AppState): boolean {
  const reference = toReference(before);
  const isReplaced = reference !== undefined && reference !== toReference(after);
  return isReplaced || (before.form !== undefined && after.form === undefined);
}
