import { jsonText, parsedJson } from '../../ui/code/jsonText.ts';

export const VALUE_KINDS = ['text', 'number', 'boolean', 'json'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

export interface WrittenValue {
  kind: ValueKind;
  text: string;
}

export const NO_VALUE: WrittenValue = { kind: 'text', text: '' };

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

export function writtenValue(value: unknown): WrittenValue {
  const kind = typeof value;
  if (kind === 'string') return { kind: 'text', text: value as string };
  if (kind === 'number' || kind === 'boolean') return { kind, text: String(value) };
  return { kind: 'json', text: jsonText(value) };
}

/** Returns the typed value or a problem: `number`, `large`, or the message of the JSON parser. */
export function readValue({ kind, text }: WrittenValue): { value: unknown } | { problem: string } {
  if (kind === 'text') return { value: text };
  if (kind === 'boolean') return { value: text === 'true' };
  if (kind === 'json') return parsedJson(text);
  const trimmed = text.trim();
  const number = Number(trimmed);
  if (!NUMBER.test(trimmed) || !Number.isFinite(number)) return { problem: 'number' };
  // JSON numbers beyond this are not exact.
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) return { problem: 'large' };
  return { value: number };
}

/** Converts a value to another kind as far as possible: a numeric text becomes that number. */
export function asKind(written: WrittenValue, kind: ValueKind): WrittenValue {
  if (kind === written.kind) return written;
  const found = readValue(written);
  const value = 'value' in found ? found.value : undefined;
  const plain = value === undefined || typeof value === 'string' ? written.text : JSON.stringify(value);
  if (kind === 'text') return { kind, text: plain };
  if (kind === 'boolean') return { kind, text: String(plain.trim() === 'true') };
  if (kind === 'number') return { kind, text: NUMBER.test(plain.trim()) ? plain.trim() : '' };
  return { kind, text: value === undefined ? written.text : jsonText(value) };
}
