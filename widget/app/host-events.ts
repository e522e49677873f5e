// Which events for the host page a change of the state causes.

import { FundingErrorEvent, FundingExitEvent } from './events.ts';
import type { Feature } from './feature.ts';
import { isCleared } from './navigation.ts';
import type { AppState } from './store.ts';

/**
 * The events that a change of the state causes. A session that an earlier page or another tab started causes none.
 *
 * @param features the chunks and features with events of their own.
 */
export function toHostEvents(
  before: AppState,
  after: AppState,
  features: readonly Pick<Feature, 'toHostEvents'>[],
): readonly Event[] {
  return [
    ...features.flatMap((feature) => feature.toHostEvents?.(before, after) ?? []),
    ...toErrorEvents(before, after),
    ...toExitEvents(before, after),
  ];
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
