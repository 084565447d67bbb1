import { setImmediate as othersTurn } from 'node:timers/promises';
import type { GuardedFetch } from './guardedFetch.ts';
import { McpEvents, McpUnclear, messagesIn } from './mcpMessages.ts';

/** The server sent more than MCP_MAX_ANSWER_BYTES, or too large a greeting. */
export class McpAnswerTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The answer of the MCP server is larger than ${maxBytes} bytes`);
  }
}

/** The stream ended before the answer, and cannot be resumed. */
export class McpBrokeOff extends Error {}

/** Responses contain only what the SDK needs. It keeps waiting if a stream fails, so `broke` gets the reason. */
export function withFewMessages(inner: GuardedFetch, broke: (reason: unknown) => void): GuardedFetch {
  return async (url, init) => {
    const response = await inner(url, init);
    const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
    const { body, status, statusText, headers, ok } = response;
    if (body === null || !ok) return response;
    const made = { status, statusText, headers: [...headers] as [string, string][] };
    if (type === 'text/event-stream') return new Response(fewEvents(body, init?.method !== 'GET', broke), made);
    if (type !== 'application/json') return response;
    const text = await response.text();
    if (!text.trimStart().startsWith('[')) return new Response(text, made);
    const messages = messagesIn(text);
    if (messages.length === 0) throw new McpUnclear('with no message that is an answer');
    return new Response(JSON.stringify(messages), made);
  };
}

function fewEvents(
  body: ReadableStream<Uint8Array>,
  isAnswer: boolean,
  broke: (reason: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const events = new McpEvents();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const written = await nextOf(reader, events);
        if (written !== undefined) return controller.enqueue(encoder.encode(written));
        if (isAnswer && !events.isAnswered && !events.mayResume) throw new McpBrokeOff('It ended without an answer');
        controller.close();
      } catch (error) {
        // The SDK resumes a stream that allows it.
        if (isFinal(error) || (isAnswer && !events.mayResume)) broke(error);
        controller.error(error);
        await reader.cancel(error).catch(() => undefined);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function nextOf(reader: ReadableStreamDefaultReader<Uint8Array>, events: McpEvents): Promise<string | undefined> {
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return undefined;
    const written = events.take(value);
    // Otherwise data that has already arrived would be read without a pause.
    await othersTurn();
    if (written !== '') return written;
  }
}

function isFinal(error: unknown): boolean {
  return error instanceof McpUnclear || error instanceof McpAnswerTooLarge;
}
