import type { UIMessage } from 'ai';

/** Omits an empty text: some models refuse it. */
export const messageParts = (text: string, others: readonly UIMessage['parts'][number][] = []) => [
  ...(text === '' ? [] : [{ type: 'text' as const, text }]),
  ...others,
];
