/** Texts by key that identify an execution for people, such as an order number or a customer. */
export type Labels = Readonly<Record<string, string>>;

export const NO_LABELS: Labels = {};

/** Same pattern as node ids. */
export const LABEL_KEY = /^[A-Za-z0-9_-]{1,64}$/;
export const MAX_LABELS = 10;
/** Characters. */
export const MAX_LABEL_LENGTH = 100;

/** Bytes that Temporal accepts as the value of one search attribute; it rejects a start with more. */
const ENGINE_BYTES = 2_000;

/** Returns `key=value` texts for Temporal's search attribute, as many as fit. */
export function labelTexts(labels: Labels): string[] {
  let left = ENGINE_BYTES;
  return Object.entries(labels).flatMap(([key, value]) => {
    const text = `${key}=${value}`;
    // A character outside ASCII has at most three bytes per UTF-16 unit.
    const bytes = JSON.stringify(text).replace(/[^ -~]/g, '***').length + 1;
    if (bytes > left) return [];
    left -= bytes;
    return [text];
  });
}
