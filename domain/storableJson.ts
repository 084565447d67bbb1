// Postgres' jsonb holds neither NUL nor half of a surrogate pair; JSON.stringify writes both as escapes.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** Why this JSON text cannot be stored, or undefined when it can. */
export function storageProblem(text: string): string | undefined {
  return UNSTORABLE.test(text) ? 'text with a NUL character or half of a surrogate pair cannot be stored' : undefined;
}

/** Makes a message that quotes data storable: replaces characters that Postgres refuses in a text. */
export function storableText(text: string): string {
  return text.replace(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}
