/** The next steps of a scripted model, in order. */
export type ModelStep =
  | { text: string }
  | { reasoning: string }
  /** The arguments as the model writes them: a text is sent as it is, valid JSON or not. */
  | { toolCall: { id: string; name: string; arguments: string | object } }
  | { refusal: string }
  /** Goes on once this has happened. */
  | { after: Promise<unknown> | (() => Promise<unknown>) }
  | { waitMs: number }
  | { finish: FinishReason }
  | { usage: Partial<ScriptedUsage> }
  /** An error in place of an answer, or, after the first delta, in the middle of it. */
  | { status: number; headers?: Record<string, string>; error?: object }
  /** A chunk of a stream as a provider sends it; its id and model are added. */
  | { chunk: object }
  /** What stands in the stream, as it is. */
  | { raw: string }
  /** Ends the stream as it is: without a finish reason, usage or [DONE] of the script's own. */
  | { close: true }
  /** Closes the socket without a word. */
  | { disconnect: true }
  /** Says nothing more until the caller goes away. */
  | { hang: true };

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Tokens. */
export interface ScriptedUsage {
  prompt: number;
  completion: number;
  cached: number;
  reasoning: number;
}

/** An answer that is a text alone, in pieces. */
export const say = (...texts: string[]): ModelStep[] => texts.map((text) => ({ text }));

/** An answer that calls tools, one after the other. */
export const callTools = (...calls: { id: string; name: string; arguments: string | object }[]): ModelStep[] =>
  calls.map((toolCall) => ({ toolCall }));
