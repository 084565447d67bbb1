import { isJsonObject, type Json } from '../json.ts';

export const MASK = '***';

/** Shorter secrets are masked only if they are the whole text: `1` occurs in most numbers. */
const MIN_INSIDE_TEXT = 6;

/** Masks whole texts, parts of texts, keys and numbers; also encoded in JSON, URLs, Base64 and hexadecimal digits. */
export function maskSecrets<T extends Json>(value: T, secrets: readonly string[]): T {
  const given = secrets.filter((secret) => secret !== '');
  return given.length === 0 ? value : (masked(value, secretsOf(given)) as T);
}

function secretsOf(given: readonly string[]): Secrets {
  const whole = new Set(given);
  const parts = new Set([...whole].filter((secret) => secret.length >= MIN_INSIDE_TEXT).flatMap(formsOf));
  // Longest first: one secret may contain another.
  return { whole, inside: [...parts].sort((a, b) => b.length - a.length) };
}

export function secretsIn(value: Json, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => secret !== '' && holds(value, secretsOf([secret])));
}

function holds(value: Json, secrets: Secrets): boolean {
  if (typeof value === 'string') return maskedText(value, secrets) !== value;
  if (typeof value === 'number') return secrets.whole.has(String(value));
  if (Array.isArray(value)) return value.some((each) => holds(each, secrets));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, member]) => maskedText(key, secrets) !== key || holds(member, secrets));
}

interface Secrets {
  whole: ReadonlySet<string>;
  inside: readonly string[];
}

function masked(value: Json, secrets: Secrets): Json {
  if (typeof value === 'string') return maskedText(value, secrets);
  if (typeof value === 'number') return secrets.whole.has(String(value)) ? MASK : value;
  if (Array.isArray(value)) return value.map((each) => masked(each, secrets));
  if (!isJsonObject(value)) return value;
  const members = new Map<string, Json>();
  for (const [key, member] of Object.entries(value)) {
    const shown = maskedText(key, secrets);
    members.set(shown === key ? key : freeKey(shown, members, value), masked(member, secrets));
  }
  return Object.fromEntries(members);
}

/** Keeps masked keys unique: `***`, `*** (2)`. */
function freeKey(key: string, taken: ReadonlyMap<string, Json>, value: object): string {
  const isFree = (name: string) => !taken.has(name) && !Object.hasOwn(value, name);
  if (isFree(key)) return key;
  for (let count = 2; ; count += 1) if (isFree(`${key} (${count})`)) return `${key} (${count})`;
}

function maskedText(text: string, { whole, inside }: Secrets): string {
  if (whole.has(text)) return MASK;
  let shown = text;
  for (const part of inside) if (shown.includes(part)) shown = shown.replaceAll(part, () => MASK);
  return shown;
}

function formsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const encoded = encodeURIComponent(new TextDecoder().decode(bytes));
  const form = new URLSearchParams({ '': secret }).toString().slice(1);
  const json = JSON.stringify(secret).slice(1, -1);
  // JSON nested in a JSON string.
  const twice = JSON.stringify(json).slice(1, -1);
  return [secret, json, twice, encoded, form, hex, hex.toUpperCase(), ...base64Forms(bytes)];
}

/** Leading Base64 digits to drop: they contain bits of the 0, 1 or 2 bytes before the secret. */
const LEADING_DIGITS = [0, 2, 3] as const;

/** Returns the three Base64 forms of a secret; the number of bytes before it determines which one occurs. */
function base64Forms(bytes: Uint8Array): string[] {
  const forms = LEADING_DIGITS.map((leading, before) => {
    const text = btoa(String.fromCharCode(...new Uint8Array(before), ...bytes));
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(leading, whole);
  });
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
