import type { Texts } from './drafts.ts';

/** The rows that are kept as this text. */
export function readRows<Row>(text: string | null, isRow: (value: unknown) => value is Row): Row[] {
  if (text === null) return [];
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.filter(isRow) : [];
  } catch {
    // Written by something else: as if there were none.
    return [];
  }
}

/** Throws a DOMException where the storage of the browser is full. */
export function writeRows(texts: Texts, key: string, rows: readonly unknown[]): void {
  if (rows.length === 0) texts.removeItem(key);
  else texts.setItem(key, JSON.stringify(rows));
}
