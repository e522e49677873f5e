// Finds the name that a person probably meant.

/** Returns the most similar of `names`, or `undefined` if none is similar enough to be meant. */
export function findNearName<Name extends string>(
  typed: string,
  names: readonly Name[],
): Name | undefined {
  const distances = names.map((name) => ({ name, distance: measure(typed, name) }));
  const [nearest] = distances.toSorted((one, other) => one.distance - other.distance);
  if (!nearest) return undefined;
  // Names of three letters differ by two letters in almost every pair.
  const maxDistance = Math.min(3, Math.floor(normalize(nearest.name).length / 4));
  return nearest.distance <= maxDistance ? nearest.name : undefined;
}

/** Ignores case and separators: `allowed-origins` and `allowedOrigins` are `ALLOWED_ORIGINS`. */
function measure(one: string, other: string): number {
  return countEdits(normalize(one), normalize(other));
}

function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[_.\s-]/g, '');
}

/** The optimal string alignment distance: letters that are inserted, deleted, replaced, or exchanged with their neighbor. */
function countEdits(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_none, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isExchanged =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          (rows[i - 1]?.[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (rows[i - 1]?.[j - 1] ?? 0) + (isSame ? 0 : 1),
          isExchanged ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
