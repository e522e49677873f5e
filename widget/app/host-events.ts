// Which events for the host page a change of the state causes.

import {
  FundingDocumentEvent,
  FundingErrorEvent,
  FundingExitEvent,
  FundingOffersEvent,
  FundingSubmittedEvent,
} from './events.ts';
import { isCleared } from './navigation.ts';
import type { AppState, FormState } from './store.ts';

/** The events that a change of the state causes. A session that an earlier page or another tab started causes none. */
export function toHostEvents(before: AppState, after: AppState): readonly Event[] {
  return [
    ...toSubmittedEvents(before.form, after.form),
    ...toDocumentEvents(before, after),
    ...toOffersEvents(before, after),
    ...toErrorEvents(before, after),
    ...toExitEvents(before, after),
  ];
}

function toSubmittedEvents(
  before: FormState | undefined,
  after: FormState | undefined,
): readonly Event[] {
  const isOwn = before?.isSubmitting || before?.application !== undefined;
  if (!isOwn || !after) return [];
  const { application, rejectedReference } = after;
  if (rejectedReference !== undefined && rejectedReference !== before.rejectedReference)
    return [new FundingSubmittedEvent(rejectedReference, 'rejected')];
  return application && application.status !== before.application?.status
    ? [new FundingSubmittedEvent(application.reference, application.status)]
    : [];
}

function toDocumentEvents(before: AppState, after: AppState): readonly Event[] {
  if (!before.form || before.form.application?.reference !== after.form?.application?.reference)
    return [];
  return after.documents.uploaded
    .filter(({ id, status }) => {
      const known = before.documents.uploaded.find((document) => document.id === id)?.status;
      return known?.status !== status.status || known.category !== status.category;
    })
    .map(
      ({ status: { number, category, status } }) =>
        new FundingDocumentEvent(number, category, status),
    );
}

function toOffersEvents(before: AppState, after: AppState): readonly Event[] {
  const { response } = after.offers;
  const known = before.offers.response;
  const isNew =
    response?.decision !== known?.decision || response?.offers.length !== known?.offers.length;
  return response && isNew
    ? [new FundingOffersEvent(response.decision, response.offers.length)]
    : [];
}

/** A problem that disappears and returns causes another event. */
function toErrorEvents(before: AppState, after: AppState): readonly Event[] {
  const known = listProblems(before);
  return listProblems(after).flatMap((code, index) =>
    code === undefined || code === known[index] ? [] : [new FundingErrorEvent(code)],
  );
}

function listProblems({ form, loading, bank, contact, offers, closing }: AppState) {
  return [form, loading, bank, contact, offers, closing].map((slice) => slice?.problem);
}

function toExitEvents(before: AppState, after: AppState): readonly Event[] {
  const { closedStep } = after.closing;
  if (closedStep !== undefined && before.closing.closedStep === undefined)
    return [new FundingExitEvent('finished', closedStep)];
  return before.form && after.form && isCleared(before.form, after.form)
    ? [new FundingExitEvent('cleared', before.form.step)]
    : [];
}
