import type { Json } from '../json.ts';
import { storableText } from '../storableJson.ts';
import { MAX_LABEL_LENGTH } from './labels.ts';
import { maskSecrets } from './maskSecrets.ts';

/** Returns a value as a label: masked, and cut to the maximum length. Undefined if the text is empty. */
export function labelOf(value: Json, secrets: readonly string[]): string | undefined {
  if (value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Mask before cutting: the beginning of a secret is secret too.
  const masked = maskSecrets(storableText(text), secrets);
  const shown = [...masked].slice(0, MAX_LABEL_LENGTH).join('').trim();
  return shown === '' ? undefined : shown;
}
