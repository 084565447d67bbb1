/** The list of before where the other one holds the same objects in the same order: nobody has to look at it again. */
export function sameOr<Item>(before: Item[], now: Item[]): Item[] {
  const isSame = before.length === now.length && now.every((item, index) => item === before[index]);
  return isSame ? before : now;
}
