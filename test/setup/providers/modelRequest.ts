import type { IncomingHttpHeaders } from 'node:http';

/** A received call of the provider; `sent` grows during the response. */
export interface ModelRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: ChatRequest;
  /** All text sent so far, without reasoning. */
  sent: string;
  /** The caller closed its socket before the response had ended. */
  aborted: boolean;
  /** Resolves when the response has ended or the caller has disconnected. */
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
