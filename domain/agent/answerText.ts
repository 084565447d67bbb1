import type { UIMessage } from 'ai';

/** What an agent has answered in the end: the text behind its last tool calls, or all of its text where there is none. */
export function answerText(message: Pick<UIMessage, 'parts'> | null): string {
  const parts = message?.parts ?? [];
  const last = parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1);
  return textOf(last) || textOf(parts);
}

function textOf(parts: UIMessage['parts']): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
