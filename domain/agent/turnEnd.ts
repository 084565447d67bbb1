import type { UIMessage } from 'ai';

/** Returns the final answer of an agent: the text after its last tool calls, or all of its text if that is empty. */
export function answerText(message: Pick<UIMessage, 'parts'> | null): string {
  const parts = message?.parts ?? [];
  const last = parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1);
  return textOf(last) || textOf(parts);
}

function textOf(parts: UIMessage['parts']): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

const MEANINGS: Readonly<Record<string, string>> = {
  AGENT_GONE: 'the agent was deleted',
  MCP_UNAVAILABLE: 'an MCP server of the agent does not answer',
  PROVIDER_ANSWER_UNCLEAR: "the model provider's answer does not follow its protocol",
  PROVIDER_ANSWER_TOO_LARGE: 'the answer of the model provider is larger than PROVIDER_MAX_ANSWER_BYTES',
  PROVIDER_BROKE_OFF: 'the model provider cut its answer off',
  PROVIDER_MISSING:
    'there is no model provider: name a connection of the app openai as aiConnectionId, or set OPENAI_API_KEY of the deployment',
  PROVIDER_QUOTA: 'the account at the model provider has no credit or quota left',
  PROVIDER_RATE_LIMITED: 'the model provider accepts no requests for now',
  PROVIDER_REFUSED_ADDRESS: 'the address of the model provider is not public, and HTTP_ALLOWED_PRIVATE_HOSTS lacks it',
  PROVIDER_STATUS: 'the model provider failed or rejected the request; if this continues, check the model and settings',
  PROVIDER_TIMEOUT: 'the model provider did not answer in time',
  PROVIDER_UNAUTHENTICATED: 'the model provider rejected the API key',
  PROVIDER_UNREACHABLE: 'the model provider does not answer at its base URL',
};

/** Returns the error text for callers: the code and its meaning, never the provider's text. */
export function errorTextOf(code: string | null): string {
  const meaning = meaningOf(code);
  return `The turn failed: ${code ?? 'INTERNAL'}${meaning === undefined ? '' : ` (${meaning})`}`;
}

function meaningOf(code: string | null): string | undefined {
  return Object.hasOwn(MEANINGS, code ?? '') ? MEANINGS[code ?? ''] : undefined;
}

/** The error in a turn's row. The message may quote the provider, without secrets. */
export interface TurnError {
  code: string;
  message: string;
  retryAfterMs?: number;
}

/** Why a message ended, in the `ai` package's terms. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

const OF_PROVIDER: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  // Mistral's reason for a full context, and that of some gateways.
  model_length: 'length',
  max_tokens: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
};

export function finishReasonOf(providers: string | null | undefined): FinishReason {
  return Object.hasOwn(OF_PROVIDER, providers ?? '') ? (OF_PROVIDER[providers ?? ''] ?? 'other') : 'other';
}

/** The error if a turn's result is missing because nobody answered its approval. */
export const UNANSWERED = 'The conversation continued without an answer to the approval that the agent asked for';
