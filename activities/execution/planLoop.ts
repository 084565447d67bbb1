import type { Failure, LoopStart } from '../../domain/execution/outcome.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import {
  DEFAULT_ITERATIONS,
  isCollection,
  isWhole,
  MAX_MS,
  MAXIMUM_CONCURRENCY,
  MAXIMUM_ITERATIONS,
} from '../../domain/workflow/controlLimits.ts';
import { invalid } from './resolvedInputs.ts';

export interface LoopPlanned {
  ok: true;
  start: LoopStart;
  items?: Json[];
  /** Whether the number of iterations is known in advance. */
  counted: boolean;
}

export function planLoop({ node }: CompiledNode, inputs: JsonObject): LoopPlanned | { ok: false; failure: Failure } {
  return node.type === 'forEach' ? planForEach(inputs) : planRepeat(inputs, node.inputs ?? {});
}

type Planning = ReturnType<typeof planLoop>;

function wrong(message: string): Planning {
  return { ok: false, failure: invalid(message) };
}

function planForEach({ items, concurrency, onItemError }: JsonObject): Planning {
  if (!isCollection(items)) return wrong(`items: expected a list or an object, got ${JSON.stringify(items ?? null)}`);
  const list = Array.isArray(items) ? items : Object.keys(items);
  if (list.length > MAXIMUM_ITERATIONS) {
    return wrong(`items: ${list.length} items, at most ${MAXIMUM_ITERATIONS} are allowed`);
  }
  const atOnce = concurrency ?? 1;
  if (!isWhole(atOnce, 1, MAXIMUM_CONCURRENCY)) {
    return wrong(
      `concurrency: expected a whole number from 1 to ${MAXIMUM_CONCURRENCY}, got ${JSON.stringify(atOnce)}`,
    );
  }
  const onError = onItemError ?? 'stop';
  if (onError !== 'stop' && onError !== 'continue') {
    return wrong(`onItemError: expected stop or continue, got ${JSON.stringify(onError)}`);
  }
  const start = { total: list.length, concurrency: atOnce, onItemError: onError } as const;
  return { ok: true, start, items: list, counted: true };
}

function planRepeat({ times, maximumIterations, pauseMs }: JsonObject, given: JsonObject): Planning {
  const counted = given.times !== undefined && given.times !== null;
  const limit = maximumIterations ?? (counted ? MAXIMUM_ITERATIONS : DEFAULT_ITERATIONS);
  if (!isWhole(limit, 1, MAXIMUM_ITERATIONS)) {
    const got = JSON.stringify(limit);
    return wrong(`maximumIterations: expected a whole number from 1 to ${MAXIMUM_ITERATIONS}, got ${got}`);
  }
  if (counted && !isWhole(times, 0, limit)) {
    return wrong(`times: expected a whole number from 0 to ${limit}, got ${JSON.stringify(times ?? null)}`);
  }
  const pause = pauseMs ?? 0;
  if (!isWhole(pause, 0, MAX_MS)) {
    return wrong(`pauseMs: expected a whole number of milliseconds from 0 to ${MAX_MS}`);
  }
  const start: LoopStart = { total: counted ? (times as number) : limit, concurrency: 1, onItemError: 'stop' };
  return { ok: true, start: pause === 0 ? start : { ...start, pauseMs: pause }, counted };
}
