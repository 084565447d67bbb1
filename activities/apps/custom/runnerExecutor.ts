import { mayRepeat } from '../../../domain/app/mayRepeat.ts';
import { withoutRenewal } from '../../../domain/app/oauth2.ts';
import type { ConsoleLine } from '../../../domain/execution/stepRecord.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import type { ThrownError } from '../../../runner/fence/messages.ts';
import type { RunnerEnd } from '../../../runner/runnerPool.ts';
import type { LossReason } from '../../../runner/runnerProcess.ts';
import { type ActionResult, awaitsAnswer, type CallConnection, failed, stepOf, succeeded } from '../executor.ts';
import { type AppRunnerSettings, buildAppRunner } from './appRunner.ts';
import type { CustomExecutor } from './customExecutor.ts';
import { wireCallOf } from './wireCallOf.ts';

/** Runs the actions of functions and pieces: their bundles export the same functions. */
export function buildRunnerExecutor(settings: AppRunnerSettings): CustomExecutor {
  const { isRunnerOn, runnerMemoryMb } = settings;
  if (!isRunnerOn) return async () => failed('RUNNER_OFF', RUNNER_IS_OFF);
  const run = buildAppRunner(settings);
  return async (app, action, call) => {
    awaitsAnswer(call, true);
    const end = await run(app, stepOf(call.origin).workspaceId, {
      member: 'run',
      parameters: [action.actionId, wireCallOf(call, call.connection && lentConnection(call.connection))],
      signal: call.signal,
      isRepeatable: mayRepeat(action, app.custom.runs),
    });
    if (end.kind !== 'lost' && !isConnectionLost(end)) awaitsAnswer(call, false);
    return resultOf(end, runnerMemoryMb);
  };
}

/** The request of a piece may have left (runner/guest/pieceFailure.ts). */
function isConnectionLost(end: RunnerEnd): boolean {
  return end.kind === 'threw' && end.error.code === 'HTTP_CONNECTION_LOST';
}

export const RUNNER_IS_OFF = 'Functions and pieces do not run in this deployment (RUNNER)';

/** They stay inside the fence, so the code gets them at once instead of a token. */
export function lentConnection({ type, credentials }: CallConnection): Pick<CallConnection, 'type' | 'credentials'> {
  return { type, credentials: withoutRenewal(credentials) };
}

export function resultOf(end: RunnerEnd, memoryMb: number): ActionResult {
  switch (end.kind) {
    case 'busy':
      return failed('RUNNER_BUSY', 'All processes of the runner are in use', { retryable: true, retryAfterMs: 1_000 });
    case 'notLoaded':
      return failed('CODE_NOT_LOADED', `The bundle cannot be loaded: ${end.message}`);
    case 'returned':
      return withConsole(returned(end.output), end.console);
    case 'threw':
      return withConsole(thrown(end.error), end.console);
    default:
      return withConsole(lost(end.reason, memoryMb), end.console);
  }
}

function withConsole(result: ActionResult, console: ConsoleLine[]): ActionResult {
  return console.length === 0 ? result : { ...result, console };
}

/** The code may have forged the text. */
function returned(output: string): ActionResult {
  try {
    return succeeded(JSON.parse(output) as Json);
  } catch {
    return failed('CODE_RESULT_NOT_JSON', 'The returned value is not JSON');
  }
}

function thrown({ message, code = 'CODE_THREW', details, ...more }: ThrownError): ActionResult {
  return failed(code, message, { ...more, ...(details === undefined ? {} : { details: detailsOf(details) }) });
}

function detailsOf(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {};
  }
}

function lost(reason: LossReason, memoryMb: number): ActionResult {
  if (reason === 'memory') return failed('CODE_OUT_OF_MEMORY', `The code needs more than ${memoryMb} MiB of memory`);
  if (reason === 'protocol')
    return failed('RUNNER_LOST', 'The process of the app was killed: it sent invalid messages');
  const message = 'The process of the app ended during the call';
  return failed('RUNNER_LOST', message, { retryable: true });
}
