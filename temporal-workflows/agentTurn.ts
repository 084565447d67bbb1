import {
  ActivityCancellationType,
  ActivityFailure,
  CancellationScope,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  TemporalFailure,
} from '@temporalio/workflow';
import type { RunEnd } from '../domain/agent/runStatus.ts';
import type { ToolCallRef } from '../domain/agent/tool.ts';
import {
  CALLS_PER_HISTORY,
  type ModelCall,
  type ModelOutcome,
  type RemoteToolCall,
  type ToolCall,
  type ToolEnd,
  type ToolStart,
  type TurnActivities,
  type TurnEnd,
  type TurnEnded,
  type TurnRef,
} from '../domain/agent/turnCalls.ts';
import { durationWritten } from '../domain/durationWords.ts';
import { summary } from '../domain/execution/summary.ts';
import { startChildExecution } from './childExecution.ts';
import { startChildTurn } from './childTurn.ts';
import { local } from './localActivities.ts';
import { TURN_WOKEN } from './names.ts';

const turnWoken = defineSignal(TURN_WOKEN);

/** How long a worker may be silent before another worker repeats its model call. */
const HEARTBEAT_TIMEOUT_MS = 5_000;
/** Longer than the two requests of a model call at the largest MODEL_CALL_TIMEOUT_MS; heartbeats show lost workers. */
const MAX_CALL_TIME = '3 hours';

/**
 * Model call, tools, model call, until there is an answer. If a person has to approve something, the turn ends; the
 * answer begins another one. The model call comes first, because a person waits for the first token. A long turn
 * continues in a new history, from `firstStep` on.
 */
export async function agentTurn(ref: TurnRef, firstStep = 1): Promise<RunEnd> {
  const wakes = new Wakes();
  setHandler(turnWoken, () => wakes.wake());
  const { status, wantsName } = await answered(ref, firstStep, wakes);
  if (wantsName) await nameTask(ref);
  return status;
}

async function answered(ref: TurnRef, firstStep: number, wakes: Wakes): Promise<TurnEnded> {
  try {
    return await endWith(ref, await toTheAnswer(ref, firstStep, wakes));
  } catch (error) {
    if (wasCancelled(error)) return endWith(ref, { status: 'STOPPED' });
    // An activity failed by our own code, or the engine gave it up: the task must not be left running.
    if (!(error instanceof TemporalFailure)) throw error;
    return endWith(ref, { status: 'FAILED', code: 'INTERNAL' });
  }
}

/** True also if the worker is lost before it learns of the stop: then the server reports missing heartbeats. */
function wasCancelled(error: unknown): boolean {
  return isCancellation(error) || (error instanceof ActivityFailure && CancellationScope.current().consideredCancelled);
}

/** Wakes the tool calls that wait for turns of other agents. Each call then checks its own agent. */
class Wakes {
  #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

type End = Pick<TurnEnd, 'status' | 'code'>;

async function toTheAnswer(ref: TurnRef, firstStep: number, wakes: Wakes): Promise<End> {
  let calls = 0;
  for (let step = firstStep; ; ) {
    const outcome = await askModel({ ...ref, step });
    if (outcome.kind === 'stopped') return { status: 'STOPPED' };
    if (outcome.kind === 'failed') return { status: 'FAILED', code: outcome.code };
    if (outcome.kind === 'answered' && outcome.done) return { status: 'COMPLETED' };
    await runTools(ref, outcome.calls, wakes);
    if (outcome.kind === 'approved') continue;
    if (outcome.asks) return { status: 'NEEDS_APPROVAL' };
    step += 1;
    calls += 1 + outcome.calls.length;
    if (calls >= CALLS_PER_HISTORY) await continueAsNew<typeof agentTurn>(ref, step);
  }
}

/** Repeats the model call as long as the activity asks for it; a lost worker does not count as an attempt. */
async function askModel(call: ModelCall): Promise<ModelOutcome> {
  let text = `Step ${call.step}: asks the model`;
  for (let retries = 0, waitedMs = 0; ; retries += 1) {
    setCurrentDetails(text);
    const outcome = await model(text).callModel(retries === 0 ? call : { ...call, retries, waitedMs });
    if (outcome.kind !== 'failed' || outcome.delayMs === undefined) return outcome;
    setCurrentDetails(
      `Step ${call.step}: waits ${durationWritten(outcome.delayMs)} for the model provider (${outcome.code})`,
    );
    text = `Step ${call.step}: asks the model, retry ${retries + 1}`;
    waitedMs += outcome.delayMs;
    await sleep(outcome.delayMs);
  }
}

async function runTools(ref: TurnRef, calls: readonly ToolCallRef[], wakes: Wakes): Promise<void> {
  if (calls.length === 0) return;
  setCurrentDetails(`Runs ${calls.map(({ name }) => name).join(', ')}`);
  // Wait for all, even if our own code fails in one, so that none is left running.
  const ends = await Promise.allSettled(calls.map((call) => runTool(ref, call, wakes)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function runTool(ref: TurnRef, call: ToolCallRef, wakes: Wakes): Promise<void> {
  const toolCall = { ...ref, ...call };
  // Not cancellable: an accepted execution is always started, and then its row shows the cancellation.
  const begun = await CancellationScope.nonCancellable(() => local(`Accepts ${call.name}`).acceptToolCall(toolCall));
  if (begun.kind === 'settled') return;
  const end = await endOfWork(toolCall, begun, wakes);
  await CancellationScope.nonCancellable(() =>
    local(`Notes the result of ${call.name}`).settleToolCall({ ...toolCall, ...end }),
  );
}

async function endOfWork(
  call: ToolCall,
  begun: Exclude<ToolStart, { kind: 'settled' }>,
  wakes: Wakes,
): Promise<Pick<ToolEnd, 'status'>> {
  if (begun.kind === 'activity') return endOfCall({ ...call, tries: begun.tries });
  if (begun.kind === 'execution') {
    const child = await startChildExecution(begun.start, 'cancel');
    return { status: await child.ended() };
  }
  const child = await startChildTurn(begun.start);
  if ((await child.ended()) === 'NEEDS_APPROVAL') await untilAnswered(call, wakes);
  return {};
}

async function untilAnswered(call: ToolCall, wakes: Wakes): Promise<void> {
  for (;;) {
    const wake = wakes.next();
    const called = await CancellationScope.nonCancellable(() => local(`Looks at ${call.name}`).followCall(call));
    if (called.kind === 'ended') return;
    if (called.kind === 'runs') {
      const child = await startChildTurn(called.start);
      await child.ended();
      continue;
    }
    setCurrentDetails(`Waits for an approval that ${call.name} asks for`);
    try {
      await Promise.race([wake, CancellationScope.current().cancelRequested]);
    } catch {
      await CancellationScope.nonCancellable(() => local('Stops the turn').stopTurn(called.turn));
      return;
    }
  }
}

async function endOfCall(call: RemoteToolCall): Promise<Pick<ToolEnd, 'status'>> {
  try {
    await remote(`Calls ${call.name}`, call.tries).callTool(call);
    return { status: 'COMPLETED' };
  } catch (error) {
    if (wasCancelled(error)) return { status: 'CANCELLED' };
    if (!(error instanceof ActivityFailure)) throw error;
    return { status: 'FAILED' };
  }
}

function endWith(ref: TurnRef, end: End): Promise<TurnEnded> {
  return CancellationScope.nonCancellable(() => local('Ends the turn').endTurn({ ...ref, ...end }));
}

/** Runs after the end of the turn, so nothing waits for it. A missing name does no harm. */
async function nameTask(ref: TurnRef): Promise<void> {
  setCurrentDetails('Names the task');
  try {
    for (let retries = 0, waitedMs = 0; ; retries += 1) {
      const text = `Names the task${retries === 0 ? '' : `, retry ${retries}`}`;
      const named = await model(text).nameTask(retries === 0 ? ref : { ...ref, retries, waitedMs });
      if (named.kind === 'done') return;
      waitedMs += named.delayMs;
      await sleep(named.delayMs);
    }
  } catch (error) {
    if (!isCancellation(error) && !(error instanceof ActivityFailure)) throw error;
  }
}

function model(text: string) {
  return remote(text);
}

/** `tries`: maximum attempts, including those lost with a worker; absent: unlimited. */
function remote(text: string, tries?: number) {
  const most = tries === undefined ? {} : { maximumAttempts: tries };
  return proxyActivities<TurnActivities>({
    summary: summary(text),
    startToCloseTimeout: MAX_CALL_TIME,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '1 second', maximumInterval: '1 minute', ...most },
  });
}
