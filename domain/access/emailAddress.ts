const MAX_LENGTH = 254;

export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Checks the shape of a normalized address. Only a message could verify that it exists. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && /^[^\s@]+@[^\s@]+$/.test(text);
}
