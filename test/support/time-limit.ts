// The limit of every test and of every wait in a test. It only ends what hangs: more than ten times the longest normal duration.

/** In milliseconds. */
export const testLimitMs = 600_000;
/** Ends before its test, so that the failure names what did not happen. */
export const waitLimitMs = testLimitMs / 2;
