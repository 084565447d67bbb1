import type { Item } from '../../../prisma/store/items.ts';

/** The read of one: with `activeStreamId` where there is a stream to resume. */
export function withActiveStream(items: Item[]): Item[] {
  return items.map((item) => (item.activeStreamId === null ? lessStream(item) : item));
}

/** What is created, changed or deleted is shown without. */
export function withoutActiveStream(items: Item[]): Item[] {
  return items.map(lessStream);
}

export function lessStream({ activeStreamId: _, ...item }: Item): Item {
  return item;
}
