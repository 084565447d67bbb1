import type { components } from './contract.ts';
import { type FollowOptions, follow } from './followStream.ts';
import { pause } from './retries.ts';
import type { Send } from './transport.ts';

type Schemas = components['schemas'];

export type ExecutionEvent =
  | ({ type: 'execution.progress' } & Schemas['ExecutionProgress'])
  | ({ type: 'loop.progress' } & Schemas['LoopProgress'])
  | ({ type: 'execution.finished' } & Schemas['ExecutionFinished']);

/** An execution that has ended or that waits for input. `outputLink` replaces an output that is too large. */
export type WaitedExecution<Output = unknown> = Pick<
  Schemas['ExecutionFinished'],
  'executionId' | 'status' | 'statusMessage' | 'executionPath'
> &
  Partial<Pick<Schemas['ExecutionFinished'], 'outputLink'>> & { output?: Output | null } & Pick<
    Schemas['ExecutionProgress'],
    'pendingInput'
  >;

/** Yields events from a snapshot to the end, across lost connections; none is lost or repeated. Throws NOT_FOUND. */
export async function* followExecution(
  send: Send,
  executionId: string,
  options: FollowOptions = {},
): AsyncGenerator<ExecutionEvent, void> {
  const begin = (lastId: string | undefined) =>
    send('streamExecution', {
      path: { executionId },
      ...(lastId === undefined ? {} : { headers: { 'last-event-id': lastId } }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  const seen = new Map<string, string>();
  for await (const { event } of follow(begin, options, ({ event: { type } }) => type === 'execution.finished')) {
    if (event.type === 'heartbeat') continue;
    // A new connection repeats the current state.
    const subject = event.type === 'loop.progress' ? JSON.stringify([event.nodeId, event.iteration]) : event.type;
    const text = JSON.stringify(event);
    if (seen.get(subject) === text) continue;
    seen.set(subject, text);
    yield event as ExecutionEvent;
  }
}

export interface WaitOptions extends FollowOptions {
  /** `needsInput` also resolves as soon as the execution waits for input. */
  until?: 'ended' | 'needsInput';
  /** After this time the call rejects with a TimeoutError; the execution continues. */
  timeoutMs?: number;
  /** How long to wait for the first event before polling instead, in case a proxy buffers streams. */
  firstEventMs?: number;
}

const FIRST_EVENT_MS = 5_000;
const POLL_MS = 2_000;
const EXPANSION = 'status,statusMessage,output,executionPath,pendingInput';

/** Resolves when the execution has ended with any status, or (`until: 'needsInput'`) when it waits for input. */
export async function waitForExecution(
  send: Send,
  executionId: string,
  { until = 'ended', timeoutMs, firstEventMs = FIRST_EVENT_MS, ...options }: WaitOptions = {},
): Promise<WaitedExecution> {
  const late = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signals = [options.signal, late].filter((each) => each !== undefined);
  const silent = new AbortController();
  const signal = AbortSignal.any([...signals, silent.signal]);
  const timer = setTimeout(() => silent.abort(), firstEventMs);
  try {
    for await (const event of followExecution(send, executionId, { ...options, signal })) {
      clearTimeout(timer);
      if (event.type === 'execution.finished') return waited({ ...event, pendingInput: [] });
      if (event.type === 'execution.progress' && until === 'needsInput' && event.pendingInput.length > 0) {
        return waited(event);
      }
    }
  } catch (error) {
    if (!silent.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return await polled(send, executionId, until, AbortSignal.any(signals));
}

function waited(execution: WaitedExecution): WaitedExecution {
  const { executionId, status, statusMessage, executionPath, pendingInput, output, outputLink } = execution;
  const large = outputLink ? { outputLink } : {};
  return { executionId, status, statusMessage, executionPath, pendingInput, output, ...large };
}

async function polled(
  send: Send,
  executionId: string,
  until: 'ended' | 'needsInput',
  signal: AbortSignal,
): Promise<WaitedExecution> {
  for (;;) {
    const answer = await send('getExecution', { path: { executionId }, query: { expansion: EXPANSION }, signal });
    const execution = (await answer.json()) as Omit<WaitedExecution, 'executionId'>;
    const asks = until === 'needsInput' && execution.pendingInput.length > 0;
    if (ENDED.has(execution.status) || asks) return waited({ ...execution, executionId });
    await pause(POLL_MS, signal);
  }
}

const ENDED = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);
