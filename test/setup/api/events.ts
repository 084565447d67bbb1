import { createParser } from 'eventsource-parser';
import type { Api } from './client.ts';
import { checkEvent } from './contract.ts';

export interface StreamEvent {
  event: string;
  id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into what they expect
  data: any;
}

export async function* eventsOf(
  api: Api,
  executionId: string,
  headers: Record<string, string> = {},
): AsyncGenerator<StreamEvent, void, void> {
  const controller = new AbortController();
  try {
    const { response, status, body } = await api('GET', `/api/executions/${executionId}/stream`, {
      headers,
      signal: controller.signal,
    });
    if (status !== 200 || !response.body) throw new Error(`The stream answered ${status}: ${JSON.stringify(body)}`);
    const decoder = new TextDecoder();
    const arrived: StreamEvent[] = [];
    const parser = createParser({
      onEvent: ({ event = 'message', id, data }) => void arrived.push({ event, id, data: JSON.parse(data) }),
    });
    for await (const chunk of response.body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      for (const event of arrived.splice(0)) {
        checkEvent(event);
        yield event;
      }
    }
  } finally {
    controller.abort();
  }
}

/** Follows the execution until `isIt` returns true for a snapshot. Fails if the stream ends first. */
export async function untilEvent(
  api: Api,
  executionId: string,
  isIt: (data: StreamEvent['data'], event: string) => boolean,
): Promise<StreamEvent['data']> {
  let last: unknown;
  for await (const { event, data } of eventsOf(api, executionId)) {
    if (event === 'heartbeat' || event === 'loop.progress') continue;
    last = data;
    if (isIt(data, event)) return data;
  }
  throw new Error(`The execution ended otherwise than awaited: ${JSON.stringify(last)}`);
}
