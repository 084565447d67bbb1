import type { Json } from '../json.ts';
import { storableText } from '../storableJson.ts';
import { MAX_LABEL_LENGTH } from './labels.ts';
import { maskSecrets } from './maskSecrets.ts';

/** A value as a label: a text without secrets, cut where it is too long. Undefined: there is nothing to find it by. */
export function labelOf(value: Json, secrets: readonly string[]): string | undefined {
  if (value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Masked before it is cut: the beginning of a secret is one too.
  const masked = maskSecrets(storableText(text), secrets);
  const shown = [...masked].slice(0, MAX_LABEL_LENGTH).join('').trim();
  return shown === '' ? undefined : shown;
}
