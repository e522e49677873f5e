// How long a request waits for its body: the server itself sets no limit, because an honest upload may take many minutes.

import type { Pace } from '../documents/incoming-chunks.ts';
import type { RouteDependencies } from './dependencies.ts';

type Time = Pick<RouteDependencies, 'clock' | 'after'>;

/** A line without a sign of life for this long is gone. */
const stallMs = 30_000;
const formMs = 30_000;

/**
 * Documents and asset reports: as long as it takes, while it comes.
 *
 * @param leastRate bytes a second by now
 */
export function toUploadPace({ clock, after }: Time, leastRate: () => number): Pace {
  return { clock, after, stallMs, leastRate };
}

/** The small JSON of a form: in one go. */
export function toFormPace({ clock, after }: Time): Pace {
  return { clock, after, stallMs, totalMs: formMs };
}
