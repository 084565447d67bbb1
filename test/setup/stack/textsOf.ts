/** Returns every text of a message of Temporal's server, bytes decoded. */
export function textsOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textsOf).join('\n');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([key, each]) => `${key}=${textsOf(each)}`)
      .join('\n');
  }
  return '';
}
