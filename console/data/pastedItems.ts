import type { components } from 'perdure-client';
import { isJsonObject } from '../../domain/json.ts';
import { QUEUES } from '../words/en/queues.ts';

export type NewItem = components['schemas']['QueueItemCreate'];

/** The API takes so many at once. */
export const MOST_ITEMS = 10_000;

/** Columns and members that are the item's own; all others are data. */
const OWN = [
  'externalId',
  'priority',
  'metadata',
  'objectId',
  'scheduledFor',
  'maxRetries',
  'retryDelayMinutes',
] as const;

/** Items of a text that somebody pastes, or a sentence about what is wrong with it. JSON by its first character, otherwise CSV. */
export async function pastedItems(text: string): Promise<{ items: NewItem[] } | { problem: string }> {
  const trimmed = text.trim();
  if (trimmed === '') return { items: [] };
  const found = /^[[{]/.test(trimmed) ? ofJson(trimmed) : await ofCsv(trimmed);
  if ('items' in found && found.items.length > MOST_ITEMS) return { problem: QUEUES.add.tooMany(MOST_ITEMS) };
  return found;
}

function ofJson(text: string): { items: NewItem[] } | { problem: string } {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return { problem: QUEUES.add.badJson(error instanceof Error ? error.message : String(error)) };
  }
  const list = Array.isArray(given) ? given : [given];
  const wrong = list.findIndex((each) => !isJsonObject(each));
  if (wrong >= 0) return { problem: QUEUES.add.badEntry(wrong + 1) };
  return { items: list.map(itemOf) };
}

/** An item where it has data of its own beside nothing but members of items; otherwise the object is the data. */
function itemOf(given: Record<string, unknown>): NewItem {
  const isItem = isJsonObject(given.data) && Object.keys(given).every((key) => key === 'data' || isOwn(key));
  return (isItem ? given : { data: given }) as NewItem;
}

const isOwn = (key: string) => (OWN as readonly string[]).includes(key);

async function ofCsv(text: string): Promise<{ items: NewItem[] } | { problem: string }> {
  const { rowsOfCsv } = await import('./csvRows.ts');
  try {
    return ofRows(rowsOfCsv(text).rows);
  } catch (error) {
    return { problem: QUEUES.add.badCsv(error instanceof Error ? error.message : String(error)) };
  }
}

function ofRows(rows: readonly Record<string, string>[]): { items: NewItem[] } | { problem: string } {
  const items: NewItem[] = [];
  for (const [at, row] of rows.entries()) {
    const cells = Object.fromEntries(Object.entries(row).map(([name, cell]) => [name.trim(), cell.trim()]));
    const { externalId = '', priority = '', ...data } = cells;
    if (!/^(-?\d+)?$/.test(priority)) return { problem: QUEUES.add.badPriority(at + 1) };
    items.push({
      data,
      ...(externalId === '' ? {} : { externalId }),
      ...(priority === '' ? {} : { priority: Number(priority) }),
    });
  }
  return { items };
}
