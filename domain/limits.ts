/** The default for the total bytes of JSON that the large values of one answer may have. */
export const DEFAULT_ANSWER_BYTES = 16_777_216;

/** Node's maximum timer, 24.8 days; longer ones fire immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
