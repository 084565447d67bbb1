const MAX_LENGTH = 254;

/** One person, one spelling: trimmed and in lower case. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Of a normalized text; only a mail could verify it. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && /^[^\s@]+@[^\s@]+$/.test(text);
}
