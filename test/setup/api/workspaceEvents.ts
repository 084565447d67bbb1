import { createParser } from 'eventsource-parser';
import { checkSchema } from './contract.ts';
import type { StreamEvent } from './events.ts';

export interface WorkspaceStream {
  /** All events so far, including heartbeats; it grows. */
  events: StreamEvent[];
  lastId(): string | undefined;
  data(name: string): StreamEvent['data'][];
  /** True if the server ended it; false if the connection broke. */
  ended: Promise<boolean>;
  close(): void;
}

/** Resolves with the first event. Every event is checked against openapi.yaml. */
export async function followWorkspace(url: string, credential: string, lastEventId?: string): Promise<WorkspaceStream> {
  const controller = new AbortController();
  const response = await fetch(new URL('/api/stream', url), {
    headers: {
      authorization: `Bearer ${credential}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: controller.signal,
  });
  if (response.status !== 200 || !response.body) throw new Error(`The stream answered ${response.status}`);
  const events: StreamEvent[] = [];
  let begun: () => void;
  const first = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const parser = createParser({
    onEvent: ({ event = 'message', id, data }) => {
      const seen = { event, id, data: JSON.parse(data) };
      checkSchema('WorkspaceEvent', seen);
      events.push(seen);
      begun();
    },
  });
  const body = response.body;
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }));
    return true;
  })().catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith('WorkspaceEvent')) throw error;
    return false;
  });
  await Promise.race([first, ended]);
  return {
    events,
    lastId: () => events.at(-1)?.id,
    data: (name) => events.filter(({ event }) => event === name).map(({ data }) => data),
    ended,
    close: () => controller.abort(),
  };
}
