import { isJsonObject, type Json } from '../json.ts';

/** Stands where a secret was, in what people see of executions. */
export const MASK = '***';

/** Below this many characters only a text that is the secret as a whole is masked: `1` stands in every number. */
const LEAST_INSIDE_TEXT = 6;

/** A value for people to see: wherever one of the secret texts stands in it, alone or inside a text, `***` does. */
export function maskSecrets(value: Json, secrets: readonly string[]): Json {
  // The longest first: one secret may stand inside another.
  const known = [...new Set(secrets)].filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  return known.length === 0 ? value : masked(value, known);
}

function masked(value: Json, secrets: readonly string[]): Json {
  if (typeof value === 'string') return maskedText(value, secrets);
  if (Array.isArray(value)) return value.map((each) => masked(each, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, masked(member, secrets)]));
}

function maskedText(text: string, secrets: readonly string[]): string {
  if (secrets.includes(text)) return MASK;
  let shown = text;
  for (const secret of secrets) if (secret.length >= LEAST_INSIDE_TEXT) shown = shown.replaceAll(secret, () => MASK);
  return shown;
}
