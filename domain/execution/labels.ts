/** Texts by key, by which people find an execution: an order's number, a customer. */
export type Labels = Readonly<Record<string, string>>;

export const NO_LABELS: Labels = {};

/** As ids of nodes. */
export const LABEL_KEY = /^[A-Za-z0-9_-]{1,64}$/;
export const MAX_LABELS = 10;
/** Characters. */
export const MAX_LABEL_LENGTH = 100;

/** Bytes that the engine takes as the value of one search attribute; it refuses a start with more. */
const ENGINE_BYTES = 2_000;

/** As the engine's search attribute has them: `key=value`, as many as it takes. */
export function labelTexts(labels: Labels): string[] {
  let left = ENGINE_BYTES;
  return Object.entries(labels).flatMap(([key, value]) => {
    const text = `${key}=${value}`;
    // A character outside ASCII has three bytes at most for each of its parts.
    const bytes = JSON.stringify(text).replace(/[^ -~]/g, '***').length + 1;
    if (bytes > left) return [];
    left -= bytes;
    return [text];
  });
}
