/** Bytes of JSON that the large values of one answer have together, where a deployment sets no other. */
export const DEFAULT_ANSWER_BYTES = 16_777_216;
