// Finds the name that a person probably meant. Written by hand, because the common library that counts two exchanged letters as one
// edit, `damerau-levenshtein`, has no types and would replace only the last function.

/** Returns the most similar of `names`, or `undefined` if none is similar enough to be meant. */
export function findNearName<Name extends string>(
  typed: string,
  names: readonly Name[],
): Name | undefined {
  const letters = toLetters(typed);
  const [nearest] = names
    .map((name) => ({ name, distance: measure(letters, toLetters(name)) }))
    .toSorted((one, other) => one.distance - other.distance);
  return nearest && nearest.distance < Infinity ? nearest.name : undefined;
}

/** Ignores case and separators: `allowed-origins` and `allowedOrigins` are `ALLOWED_ORIGINS`. */
function toLetters(name: string): string {
  return name.toLowerCase().replaceAll(/[_.\s-]/g, '');
}

/** The number of edits, or `Infinity` if there are too many. */
function measure(typed: string, name: string): number {
  // Names of three letters differ by two letters in almost every pair.
  const maxEdits = Math.min(3, Math.floor(name.length / 4));
  // Every start compares the whole environment, and most names of other programs have another length.
  if (Math.abs(typed.length - name.length) > maxEdits) return Infinity;
  const edits = countEdits(typed, name);
  return edits > maxEdits ? Infinity : edits;
}

/** The optimal string alignment distance: letters that are inserted, deleted, replaced, or exchanged with their neighbor. */
function countEdits(one: string, other: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity;
  for (let i = 0; i <= one.length; i += 1) {
    const row: number[] = [];
    rows.push(row);
    for (let j = 0; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isExchanged = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const edits = [
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (isSame ? 0 : 1),
        isExchanged ? at(i - 2, j - 2) + 1 : Infinity,
      ];
      row.push(i + j === 0 ? 0 : Math.min(...edits));
    }
  }
  return at(one.length, other.length);
}
