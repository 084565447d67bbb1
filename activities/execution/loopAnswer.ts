import type { Failure } from '../../domain/execution/outcome.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import { decideGoingOn } from '../../domain/workflow/control.ts';
import { evaluate } from './resolvedInputs.ts';

export type Answer = { go: boolean } | { failure: Failure };

/**
 * Whether a repeat goes on with the iteration `index`: `until` is asked after each, `while` before each. `around`
 * gives the scope of an iteration, with the steps of the one before it, where there was one.
 */
export function answerLoop(
  compiled: CompiledNode,
  index: number,
  limit: number,
  around: (index: number) => Scope,
): Answer {
  const { repeat } = compiled;
  if (index > 0 && repeat?.until) {
    const { until } = repeat;
    const ended = evaluate(() => decideGoingOn(until, 'until', compiled.node.inputs?.until, around(index - 1)));
    if (!ended.ok) return { failure: ended.failure };
    if (ended.value) return { go: false };
  }
  if (repeat?.while) {
    const before = repeat.while;
    const goesOn = evaluate(() => decideGoingOn(before, 'while', compiled.node.inputs?.while, around(index)));
    if (!goesOn.ok) return { failure: goesOn.failure };
    if (!goesOn.value) return { go: false };
  }
  if (index < limit) return { go: true };
  if (!repeat?.while && !repeat?.until) return { go: false };
  const message = `After ${limit} iterations the loop has not come to its end (maximumIterations)`;
  return { failure: { code: 'TOO_MANY_ITERATIONS', message, retryable: false } };
}
