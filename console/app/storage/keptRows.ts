import type { Texts } from './browserStorage.ts';

/** Parses stored rows; drops those of another form. */
export function readRows<Row>(text: string | null, isRow: (value: unknown) => value is Row): Row[] {
  if (text === null) return [];
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.filter(isRow) : [];
  } catch {
    // Something else wrote it.
    return [];
  }
}

/** Throws a DOMException if the browser's storage is full. */
export function writeRows(texts: Texts, key: string, rows: readonly unknown[]): void {
  if (rows.length === 0) texts.removeItem(key);
  else texts.setItem(key, JSON.stringify(rows));
}
