import type { UIMessage } from 'ai';

/** The final answer of an agent: the text after its last tool calls, or all of its text if there is none. */
export function answerText(message: Pick<UIMessage, 'parts'> | null): string {
  const parts = message?.parts ?? [];
  const last = parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1);
  return textOf(last) || textOf(parts);
}

function textOf(parts: UIMessage['parts']): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** The text of a turn's failure for callers: its code, never the text of the provider. */
export function errorTextOf(code: string | null): string {
  return `The turn failed: ${code ?? 'INTERNAL'}`;
}

/** Why a message ended, in the words of the `ai` package. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

const OF_PROVIDER: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
};

export function finishReasonOf(providers: string | null | undefined): FinishReason {
  return OF_PROVIDER[providers ?? ''] ?? 'other';
}
