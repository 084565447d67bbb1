export type ModelStep =
  | { text: string }
  | { reasoning: string }
  /** Sends text arguments unchanged, valid JSON or not. */
  | { toolCall: { id: string; name: string; arguments: string | object } }
  | { refusal: string }
  /** Continues when the promise resolves. */
  | { after: Promise<unknown> | (() => Promise<unknown>) }
  | { waitMs: number }
  | { finish: FinishReason }
  | { usage: Partial<ScriptedUsage> }
  /** An error instead of a response or, after the first delta, in the middle of it. */
  | { status: number; headers?: Record<string, string>; error?: object }
  /** A chunk of a provider's stream; its id and model are added. */
  | { chunk: object }
  | { raw: string }
  /** Ends the stream without a finish reason, usage or [DONE] of the script's own. */
  | { close: true }
  | { disconnect: true }
  /** Sends nothing until the caller disconnects. */
  | { hang: true };

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Tokens. */
export interface ScriptedUsage {
  prompt: number;
  completion: number;
  cached: number;
  reasoning: number;
}

export const say = (...texts: string[]): ModelStep[] => texts.map((text) => ({ text }));

export const callTools = (...calls: { id: string; name: string; arguments: string | object }[]): ModelStep[] =>
  calls.map((toolCall) => ({ toolCall }));
