// Postgres' jsonb accepts neither NUL nor half a surrogate pair; JSON.stringify writes both as escapes.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

export function storageProblem(text: string): string | undefined {
  return UNSTORABLE.test(text) ? 'text with a NUL character or half of a surrogate pair cannot be stored' : undefined;
}

export function storableText(text: string): string {
  return text.replace(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}
