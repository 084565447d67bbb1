import { DATA } from './words.ts';

const words = DATA;
/** Longer texts are cut; the JSON has them whole. */
const MAX_TEXT = 2_000;
const MAX_CELL = 200;
const MAX_COLUMNS = 20;

export const isParent = (value: unknown): value is object => typeof value === 'object' && value !== null;

export function sizeOf(parent: object): string {
  if (Array.isArray(parent)) return words.items(parent.length);
  return words.members(Object.keys(parent).length);
}

export function textOf(value: unknown, most = MAX_TEXT): string {
  if (value === undefined) return words.absent;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

interface Table {
  columns: string[];
  rows: { key: string; cells: string[] }[];
  /** The number of columns that are left out. */
  columnsLeft: number;
}

/** A list has a row per item, with the members of its objects as columns. Any other value has a row per member. */
export function tableOf(value: unknown): Table {
  if (!Array.isArray(value)) {
    const entries = isParent(value) ? Object.entries(value) : [['', value] as const];
    const rows = entries.map(([key, member]) => ({ key, cells: [key, textOf(member, MAX_CELL)] }));
    return { columns: [words.name, words.value], rows, columnsLeft: 0 };
  }
  const isObject = (item: unknown): item is Record<string, unknown> => isParent(item) && !Array.isArray(item);
  if (!value.some(isObject)) {
    const rows = value.map((item, at) => ({ key: String(at), cells: [String(at), textOf(item, MAX_CELL)] }));
    return { columns: [words.position, words.value], rows, columnsLeft: 0 };
  }
  const all = [...new Set(value.flatMap((item) => (isObject(item) ? Object.keys(item) : [])))];
  const columns = all.slice(0, MAX_COLUMNS);
  const rows = value.map((item, at) => ({
    key: String(at),
    cells: columns.map((column, index) => {
      if (!isObject(item)) return index === 0 ? textOf(item, MAX_CELL) : '';
      return Object.hasOwn(item, column) ? textOf(item[column], MAX_CELL) : '';
    }),
  }));
  return { columns, rows, columnsLeft: all.length - columns.length };
}
