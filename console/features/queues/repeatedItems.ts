import type { NewItem } from './pastedItems.ts';

export interface WithoutRepeats {
  items: NewItem[];
  /** Rows, counted from 1, whose external id an earlier row has. */
  repeated: { row: number; externalId: string }[];
}

/** One item for each external id: the first of them, or, where items are updated, with the last values. */
export function withoutRepeats(given: readonly NewItem[], duplicates: 'skip' | 'update'): WithoutRepeats {
  const places = new Map<string, number>();
  const items: NewItem[] = [];
  const repeated: WithoutRepeats['repeated'] = [];
  for (const [at, item] of given.entries()) {
    const { externalId } = item;
    const place = externalId === undefined ? undefined : places.get(externalId);
    if (externalId === undefined || place === undefined) {
      if (externalId !== undefined) places.set(externalId, items.length);
      items.push(item);
      continue;
    }
    repeated.push({ row: at + 1, externalId });
    if (duplicates === 'update') items[place] = { ...items[place], ...item };
  }
  return { items, repeated };
}
