// `Map.groupBy` of ES2024, which is newer than the project's language level.

/** Groups items by key. Keys and items keep their order. */
export function groupBy<Key, Item>(
  items: Iterable<Item>,
  toKey: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = toKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
