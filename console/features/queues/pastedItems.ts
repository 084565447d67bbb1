import type { components } from 'perdure-client';
import { isJsonObject } from '../../../domain/json.ts';
import { QUEUES } from './words.ts';

export type NewItem = components['schemas']['QueueItemCreate'];

/** The API's limit for one request. */
export const MAX_ITEMS = 10_000;

/** Columns and members that belong to the item; all others are data. */
const OWN = [
  'externalId',
  'priority',
  'metadata',
  'objectId',
  'scheduledFor',
  'maxRetries',
  'retryDelayMinutes',
] as const;

/** `numbers`: the columns of a CSV whose cells can be read as numbers. */
export type Pasted = { items: NewItem[]; numbers?: string[] } | { problem: string };

/** A text that begins with `[` or `{` is JSON, any other is CSV. `texts`: columns that are not read as numbers. */
export async function pastedItems(text: string, texts: readonly string[] = []): Promise<Pasted> {
  const trimmed = text.trim();
  if (trimmed === '') return { items: [] };
  const found = /^[[{]/.test(trimmed) ? ofJson(trimmed) : await ofCsv(trimmed, texts);
  if ('items' in found && found.items.length > MAX_ITEMS) return { problem: QUEUES.add.tooMany(MAX_ITEMS) };
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

/** An object with `data` and otherwise only members of items is an item; any other object is the data of one. */
function itemOf(given: Record<string, unknown>): NewItem {
  const isItem = isJsonObject(given.data) && Object.keys(given).every((key) => key === 'data' || isOwn(key));
  return (isItem ? given : { data: given }) as NewItem;
}

const isOwn = (key: string) => (OWN as readonly string[]).includes(key);

async function ofCsv(text: string, texts: readonly string[]): Promise<Pasted> {
  const { rowsOfCsv } = await import('../../ui/files/csvRows.ts');
  try {
    return ofRows(rowsOfCsv(text).rows, texts);
  } catch (error) {
    return { problem: QUEUES.add.badCsv(error instanceof Error ? error.message : String(error)) };
  }
}

function ofRows(given: readonly Record<string, string>[], texts: readonly string[]): Pasted {
  const rows = given.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name.trim(), cell.trim()])),
  );
  const numbers = numberColumns(rows);
  const read = new Set(numbers.filter((name) => !texts.includes(name)));
  const items: NewItem[] = [];
  for (const [at, row] of rows.entries()) {
    const { externalId = '', priority = '', ...cells } = row;
    if (!/^(-?\d+)?$/.test(priority)) return { problem: QUEUES.add.badPriority(at + 1) };
    const data = Object.entries(cells).map(([name, cell]) => [name, read.has(name) ? numberOf(cell) : cell]);
    items.push({
      data: Object.fromEntries(data),
      ...(externalId === '' ? {} : { externalId }),
      ...(priority === '' ? {} : { priority: Number(priority) }),
    });
  }
  return { items, numbers };
}

const numberOf = (cell: string) => (cell === '' ? null : Number(cell));

function numberColumns(rows: readonly Record<string, string>[]): string[] {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'externalId' && name !== 'priority');
  return names.filter((name) => {
    const cells = rows.map((row) => row[name] ?? '').filter((cell) => cell !== '');
    return cells.length > 0 && cells.every(isNumber);
  });
}

/** Excludes texts that a number would change: leading zeros, and more digits than it can hold. */
function isNumber(cell: string): boolean {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(cell)) return false;
  return cell.includes('.') ? cell.replaceAll(/\D/g, '').length <= 15 : Number.isSafeInteger(Number(cell));
}

export interface WithoutRepeats {
  items: NewItem[];
  /** Rows, counted from 1, with the external ID of an earlier row. */
  repeated: { row: number; externalId: string }[];
}

/** Returns one item for each external ID: the first, or with `update` the first overwritten by the later ones. */
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
