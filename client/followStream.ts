import { eventsOf, LostStream, type ReceivedEvent } from './events.ts';
import { PerdureProblem, UNREACHABLE } from './problem.ts';
import { isWorthATry, pause, pauseBefore } from './retries.ts';

export interface FollowOptions {
  signal?: AbortSignal;
  /** How long to try to reconnect a lost stream; 10 minutes by default. */
  reconnectMs?: number;
  /** A connection that is silent for this long counts as lost; three heartbeats (45 s) by default. */
  silentMs?: number;
}

const RECONNECT_MS = 600_000;
const SILENT_MS = 45_000;

/** Opens the stream, or resumes it after this event id. Returns undefined if there is nothing to follow. */
type Begin = (lastId: string | undefined) => Promise<Response | undefined>;

/** Yields events until `[DONE]`, `isLast`, or an end of the stream. Throws permanent refusals (401, 403, 404, …). */
export async function* follow(
  begin: Begin,
  { signal, reconnectMs = RECONNECT_MS, silentMs = SILENT_MS }: FollowOptions,
  isLast: (received: ReceivedEvent) => boolean = () => false,
): AsyncGenerator<ReceivedEvent, void> {
  let lastId: string | undefined;
  let losses = 0;
  let lostAt = Date.now();
  const note = ({ id }: ReceivedEvent) => {
    lastId = id ?? lastId;
    losses = 0;
  };
  for (;;) {
    try {
      signal?.throwIfAborted();
      const answer = await begin(lastId);
      if (answer === undefined || (yield* noted(eventsOf(answer, silentMs, signal), note, isLast))) return;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isLost(error)) throw error;
      if (losses > 0 && Date.now() - lostAt > reconnectMs) throw unreachable(error);
    }
    if (losses === 0) lostAt = Date.now();
    losses += 1;
    await pause(pauseBefore(losses), signal);
  }
}

/** Returns true after the last event. A caller who stops early closes the connection. */
async function* noted(
  events: AsyncGenerator<ReceivedEvent, boolean>,
  note: (received: ReceivedEvent) => void,
  isLast: (received: ReceivedEvent) => boolean,
): AsyncGenerator<ReceivedEvent, boolean> {
  try {
    for (;;) {
      const { done, value } = await events.next();
      if (done) return value;
      note(value);
      yield value;
      if (isLast(value)) return true;
    }
  } finally {
    await events.return(true);
  }
}

function isLost(error: unknown): boolean {
  return error instanceof LostStream || (error instanceof PerdureProblem && isWorthATry(error, true));
}

function unreachable(cause: unknown): PerdureProblem {
  if (cause instanceof PerdureProblem) return cause;
  return new PerdureProblem(
    0,
    { code: UNREACHABLE, detail: 'The stream was lost and could not be resumed' },
    { cause },
  );
}
