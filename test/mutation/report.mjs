// The result of a mutation run, and the comparison of two runs.

/** @typedef {{ key: string, file: string, line: number, mutator: string, original: string, replacement: string, status: string }} ReportedMutant */
/** @typedef {{ commit: string, targets: string[], tests: string[], every: number, minutes: number, totals: Record<string, number>, mutants: ReportedMutant[] }} Report */

/** Stryker's status of a mutant, and ours. An error while a test file loads fails `npm test` too. */
export const statuses = {
  Killed: 'killed',
  Timeout: 'timeout',
  RuntimeError: 'error',
  Survived: 'survived',
  NoCoverage: 'no-coverage',
};
const undetected = new Set(['survived', 'no-coverage']);

/** @param {ReportedMutant[]} mutants */
export function count(mutants) {
  const totals = { mutants: mutants.length, score: 0 };
  for (const name of Object.values(statuses)) {
    totals[name] = mutants.filter(({ status }) => status === name).length;
  }
  const detected = mutants.length - mutants.filter(isUndetected).length;
  totals.score = mutants.length === 0 ? 100 : Math.round((detected / mutants.length) * 1_000) / 10;
  return totals;
}

/** @param {ReportedMutant} mutant */
export function isUndetected({ status }) {
  return undetected.has(status);
}

/** @param {ReportedMutant} mutant */
export function describe({ file, line, mutator, original, replacement, status }) {
  return `${status}  ${file}:${line}  ${mutator}: ${original}  →  ${replacement}`;
}

/** The same change can stand in a file several times: such mutants are compared by their number. @param {Report} before @param {Report} after */
export function listLost(before, after) {
  const beforeByKey = Map.groupBy(before.mutants, ({ key }) => key);
  return [...Map.groupBy(after.mutants, ({ key }) => key)].flatMap(([key, mutants]) => {
    const undetectedBefore = beforeByKey.get(key)?.filter(isUndetected).length;
    if (undetectedBefore === undefined) return [];
    const undetected = mutants.filter(isUndetected);
    return undetected.length > undetectedBefore ? undetected : [];
  });
}
