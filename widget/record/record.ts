// The record of a submitted application: keeps its status and the status of its attachments up to date, and shows them.

import {
  isUndecided,
  withApplicationStatus,
  withProblem,
  withUnknownStatus,
} from '../app/application-status.ts';
import { countDelivering } from '../app/attachment-parts.ts';
import { toReference, withAttachments } from '../app/attachments.ts';
import type { Feature, FeatureEnvironment } from '../app/feature.ts';
import type { StepId } from '../app/navigation.ts';
import { withSessionResponse } from '../app/loading.ts';
import { pollWhile } from '../app/poll-while.ts';
import { createPoller, toPollResult, type Poller, type PollResult } from '../app/polling.ts';
import type { AppState, Reaction } from '../app/store.ts';
import { renderSubmitted, toSubmittedHeading, type SubmittedActions } from './submitted.ts';

export function createRecord({
  store,
  api,
  polling,
  now,
}: FeatureEnvironment): Feature & { readonly checkStatus: () => Promise<void> } {
  const statusPoller = createPoller(polling, () => {
    if (store.state.statusCheck.isRequested) store.merge('statusCheck', { isRequested: false });
    return requestStatus();
  });
  const pollStatus = pollWhile(statusPoller, (state) =>
    state.isConnected && isUndecided(state.form) ? toReference(state) : undefined,
  );
  const pollAttachments = pollWhileShown(createPoller(polling, requestAttachments));

  /** The applicant asks for the status. */
  async function checkStatus(): Promise<void> {
    if (store.state.statusCheck.isChecking) return;
    store.merge('statusCheck', { isChecking: true, isRequested: true });
    await requestStatus();
    store.merge('statusCheck', { isChecking: false });
  }

  async function requestStatus(): Promise<PollResult> {
    const reference = toReference(store.state);
    const result = await api.getApplication();
    // The applicant has closed the application, or another response has decided about it.
    if (reference === undefined || toReference(store.state) !== reference) return false;
    if (result.ok && result.value.reference === reference) {
      store.update(({ statusCheck, ...state }) =>
        withApplicationStatus(
          { ...state, statusCheck: { ...statusCheck, checkedAt: now() } },
          result.value,
        ),
      );
    } else {
      store.updateForm((form) =>
        result.ok
          ? withUnknownStatus(form, 'session-missing')
          : withUnknownStatus(form, result.code, result.retryAfterMs),
      );
    }
    return isUndecided(store.state.form) && toPollResult(result);
  }

  async function requestAttachments(): Promise<PollResult> {
    const before = store.state;
    const reference = toReference(before);
    const result = await api.getSession();
    if (reference === undefined || toReference(store.state) !== reference) return false;
    if (result.ok && result.value.application?.reference === reference) {
      store.update((state) =>
        withAttachments(withSessionResponse(state, result.value, now()), result.value, before),
      );
      return countDelivering(store.state) > 0;
    }
    if (!result.ok && result.code !== 'session-missing') return toPollResult(result);
    // The session has ended, or another tab has started another application.
    store.updateForm((form) => withProblem(form, 'session-missing'));
    return false;
  }

  async function copy(text: string, element: Element | null): Promise<void> {
    store.merge('sent', { copy: (await copyText(text, element)) ? 'copied' : 'refused' });
  }

  const actions: SubmittedActions = {
    checkStatus: () => void checkStatus(),
    copy: (text, element) => void copy(text, element),
    noteDrawn: (reference) => store.merge('sent', { drawnFor: reference }),
  };

  return {
    checkStatus,
    steps: {
      submitted: {
        toHeading: (context) => toSubmittedHeading(context, actions),
        render: (context) => renderSubmitted(context, actions),
      },
    },
    react: (before, after) => {
      pollStatus(before, after);
      pollAttachments(before, after);
      const { closing, form, sent } = after;
      if (sent.copy && before.form?.step !== form?.step) store.merge('sent', { copy: undefined });
      // A warning or a failure of another step, or of an earlier application, is not shown again.
      if (
        (closing.warnsOfUnsent || closing.problem) &&
        (before.form?.step !== form?.step || toReference(before) !== toReference(after))
      )
        store.merge('closing', { warnsOfUnsent: false, problem: undefined });
    },
  };
}

/**
 * Browsers refuse the clipboard in a frame without the permission, and do not have it on a page with plain `http:`. The text is
 * then selected, so that the applicant can copy it.
 */
async function copyText(text: string, element: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (element) getSelection()?.selectAllChildren(element);
    return false;
  }
}

/** Polls while a step shows attachments. A new attachment restarts the poller, because its status may change soon. */
function pollWhileShown(poller: Poller): Reaction {
  let step: StepId | undefined;
  let count = 0;
  return (_before, after) => {
    const nextStep = toShownStep(after);
    const nextCount = countDelivering(after);
    const isNew = nextStep !== step || nextCount > count;
    step = nextStep;
    count = nextCount;
    if (step === undefined) poller.stop();
    else if (isNew) poller.start();
  };
}

/** The current step if it shows attachments. The offers show only a contact request. */
function toShownStep({ isConnected, form, contact }: AppState): StepId | undefined {
  const step = form?.step;
  const isShown =
    step === 'documents' || step === 'bank' || (step === 'offers' && contact.status === 'received');
  return isConnected && isShown ? step : undefined;
}
