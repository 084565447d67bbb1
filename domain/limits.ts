/** Bytes of JSON that the large values of one answer have together, where a deployment sets no other. */
export const DEFAULT_ANSWER_BYTES = 16_777_216;

/** The longest time of a timer of Node, 24.8 days: one of more is over at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
