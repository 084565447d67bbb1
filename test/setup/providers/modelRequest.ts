import type { IncomingHttpHeaders } from 'node:http';

/** A call of the provider, as it came; `sent` grows while it is answered. */
export interface ModelRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: ChatRequest;
  /** All text that went out so far, reasoning left out. */
  sent: string;
  /** The caller closed its socket before the answer had ended. */
  aborted: boolean;
  /** When the answer has ended, or the caller has gone. */
  ended: Promise<void>;
}

export interface ChatRequest {
  model: string;
  messages: { role: string; content?: unknown; tool_calls?: unknown[]; tool_call_id?: string }[];
  stream?: boolean;
  tools?: { type: string; function: { name: string; description?: string; parameters?: object } }[];
  input?: string | string[];
  [setting: string]: unknown;
}
