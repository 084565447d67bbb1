import type { components } from 'perdure-client';
import { isJsonObject } from '../../../domain/json.ts';
import { QUEUES } from './words.ts';

export type NewItem = components['schemas']['QueueItemCreate'];

/** The API takes so many at once. */
export const MAX_ITEMS = 10_000;

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

/** `numbers`: the columns of a CSV whose cells can be read as numbers. */
export type Pasted = { items: NewItem[]; numbers?: string[] } | { problem: string };

/** Items of a text that somebody pastes, or a sentence about what is wrong with it. JSON by its first character, otherwise CSV. `texts`: columns that stay texts. */
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

/** An item where it has data of its own beside nothing but members of items; otherwise the object is the data. */
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

/** Columns of data that have numbers alone. */
function numberColumns(rows: readonly Record<string, string>[]): string[] {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'externalId' && name !== 'priority');
  return names.filter((name) => {
    const cells = rows.map((row) => row[name] ?? '').filter((cell) => cell !== '');
    return cells.length > 0 && cells.every(isNumber);
  });
}

/** Leading zeros belong to ids, and digits that a number cannot hold would be lost. */
function isNumber(cell: string): boolean {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(cell)) return false;
  return cell.includes('.') ? cell.replaceAll(/\D/g, '').length <= 15 : Number.isSafeInteger(Number(cell));
}
