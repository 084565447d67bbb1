import type { UIMessage } from 'ai';

/** None where there is no text: some models refuse an empty one. */
export const messageParts = (text: string, others: readonly UIMessage['parts'][number][] = []) => [
  ...(text === '' ? [] : [{ type: 'text' as const, text }]),
  ...others,
];
