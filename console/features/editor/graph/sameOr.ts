/** Returns the previous list if it has the same items in the same order, to avoid rendering. */
export function sameOr<Item>(before: Item[], now: Item[]): Item[] {
  const isSame = before.length === now.length && now.every((item, index) => item === before[index]);
  return isSame ? before : now;
}
