import type { PieceOption } from './pieceTypes.ts';

/** Values of options are texts in Perdure: another value is its JSON with this prefix. */
const JSON_PREFIX = 'json:';

export function optionText(value: unknown): string {
  if (typeof value === 'string' && !value.startsWith(JSON_PREFIX)) return value;
  return JSON_PREFIX + JSON.stringify(value ?? null);
}

/** Returns other values than texts of options unchanged, as those of expressions. */
export function optionValue(text: unknown): unknown {
  if (typeof text !== 'string' || !text.startsWith(JSON_PREFIX)) return text;
  try {
    return JSON.parse(text.slice(JSON_PREFIX.length)) as unknown;
  } catch {
    return text;
  }
}

export function optionsOf(options: unknown): { value: string; label: string }[] {
  if (!Array.isArray(options)) return [];
  return (options as PieceOption[]).map(({ value, label }) => {
    const text = optionText(value);
    return { value: text, label: typeof label === 'string' && label !== '' ? label : text };
  });
}
