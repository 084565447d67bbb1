import type { RegionCall, RegionStart } from '../../domain/execution/activityCalls.ts';
import { loopKey } from '../../domain/execution/iteration.ts';
import type { Failure, LostIterations } from '../../domain/execution/outcome.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import { keepsOutputs } from '../../domain/workflow/definition.ts';
import type { RecordedStep } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { answerAt } from './askLoop.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import { failLoop, iterationFailure, recordedIterations, settleCounts, settleLoop } from './loopNode.ts';
import { entriesProblem } from './loopOutput.ts';
import { settleFailedStep } from './stepSettlement.ts';

type Looped = Extract<RegionStart, { cause: 'looped' }>;
type Lost = Extract<RegionStart, { cause: 'lost' }>;

export async function settleLooped(
  services: ActivityServices,
  call: RegionCall,
  definition: CompiledDefinition,
  run: InlineRun,
  { nodeId, failed, lost, tooLarge, limit }: Looped,
  step: RecordedStep | undefined,
): Promise<InlineSettlement> {
  const { workspaceId, executionId } = call;
  const key = loopKey(run.iteration, nodeId);
  const range = { workspaceId, executionId, loopKey: key };
  const attempt = attemptOf(run);
  if (lost) return failLoop(attempt, lostFailure(lost));
  const { node } = run.compiled;
  const problem = tooLarge && entriesProblem(node, step?.bytes ?? 0, services.config.MAX_OUTPUT_BYTES);
  if (problem) return failLoop(attempt, problem);
  if (failed === undefined) {
    if (!keepsOutputs(node)) return settleCounts(attempt, step);
    const read = await recordedIterations(services, { ...range, to: limit });
    if ('failure' in read) return settleFailedStep(attempt, read.failure);
    return settleLoop(attempt, read.iterations, services.config.MAX_OUTPUT_BYTES);
  }
  const read = await recordedIterations(services, { ...range, from: failed, to: failed + 1 });
  if ('failure' in read) return failLoop(attempt, read.failure);
  const [iteration] = read.iterations;
  if (iteration?.status === 'FAILED') return failLoop(attempt, iterationFailure(nodeId, failed, iteration));
  // The iteration never began: the evaluation before it failed.
  const answer = await answerAt(services, definition, { ...call, nodeId, index: failed, limit });
  if ('failure' in answer) return failLoop(attempt, answer.failure);
  throw new Error(`The iteration ${key}:${failed} has no row`);
}

function lostFailure({ from, to, how, ofRest }: LostIterations): Failure {
  const rest = ofRest ? 'remaining ' : '';
  const which = to - from === 1 ? `${rest}iteration ${from + 1}` : `the ${rest}iterations ${from + 1} to ${to}`;
  const message = `The workflow of ${which} was ${how} in the engine`;
  return { code: how === 'cancelled' ? 'ITERATIONS_CANCELLED' : 'ITERATIONS_TERMINATED', message, retryable: false };
}

const GIVEN_UP = {
  WORKER_LOST: 'The workers that ran this attempt went away, again and again',
  INTERNAL: 'Perdure itself failed with this attempt, again and again; the log of the workers says more',
};

export function settleLost(run: InlineRun, lost: Lost): InlineSettlement {
  const code = lost.code ?? 'WORKER_LOST';
  return settleFailedStep(attemptOf(run), { code, message: GIVEN_UP[code], retryable: true });
}
