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
