import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface StreamedEvent {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the members depend on the type; typed streams narrow it
  [member: string]: any;
}

export interface ReceivedEvent {
  event: StreamedEvent;
  /** For Last-Event-ID. */
  id: string | undefined;
}

/** Thrown when a connection broke or sent nothing, not even a heartbeat, for longer than allowed. */
export class LostStream extends Error {
  override readonly name = 'LostStream';
}

/** Returns true at `[DONE]`, false if the connection ends. Throws LostStream, also after `silentMs` without a byte. */
export async function* eventsOf(
  answer: Response,
  silentMs: number,
  signal?: AbortSignal,
): AsyncGenerator<ReceivedEvent, boolean> {
  const reader = answer.body?.getReader();
  if (reader === undefined) return false;
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => arrived.push(message) });
  const decoder = new TextDecoder();
  const stop = () => void reader.cancel(signal?.reason).catch(() => undefined);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await bytesWithin(reader.read(), silentMs);
      signal?.throwIfAborted();
      if (done) return false;
      parser.feed(decoder.decode(value, { stream: true }));
      for (const message of arrived.splice(0)) {
        if (message.data === '[DONE]') return true;
        yield { event: named(message), id: message.id };
      }
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    await reader.cancel().catch(() => undefined);
  }
}

/** Chunks of a turn carry their type in the data; other events carry it as their name. */
function named({ event, data }: EventSourceMessage): StreamedEvent {
  const members = JSON.parse(data) as StreamedEvent;
  return event === undefined ? members : { ...members, type: event };
}

/** Reads the next bytes. Environments reject with different errors when a socket breaks, so it becomes the cause. */
async function bytesWithin<T>(read: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new LostStream(`The stream was silent for ${ms} ms`)), ms);
  });
  const broken = (cause: unknown) => {
    throw new LostStream('The connection broke', { cause });
  };
  try {
    return await Promise.race([read.catch(broken), silent]);
  } finally {
    clearTimeout(timer);
  }
}
