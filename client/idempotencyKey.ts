const BYTES = 16;

/** 128 random bits. Not by `crypto.randomUUID`, which pages served over plain http lack. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
