import type { RegionResult } from '../../domain/execution/activityCalls.ts';
import { iterationParts, loopKey } from '../../domain/execution/iteration.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import type { IterationRecord } from '../../domain/execution/stepRecord.ts';
import type { Json } from '../../domain/json.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import { keepsOutputs, type Node } from '../../domain/workflow/definition.ts';
import type { Change } from '../../prisma/store/execution/recordProgress.ts';
import { tooLarge } from './stepSettlement.ts';

/** The entry of an ended iteration in the output of its loop: its output, or its error. */
export function loopEntry({
  status,
  output = null,
  error,
}: Pick<IterationRecord, 'status' | 'output'> & { error?: IterationRecord['error'] | null }): Json {
  if (status !== 'FAILED') return output;
  // Expressions do not see the cause, which is shown elsewhere.
  const { cause: _, ...seen } = error ?? {};
  return { error: { ...seen } };
}

/** Bytes of the entry as JSON, and of the comma behind it. */
export function entryBytes(iteration: Omit<IterationRecord, 'bytes'>): number {
  return Buffer.byteLength(JSON.stringify(loopEntry(iteration))) + 1;
}

/** Undefined while the output of a loop is within the limit; `bytes` is the sum of the bytes of its entries. */
export function entriesProblem(loop: Node, bytes: number, maxOutputBytes: number): Failure | undefined {
  if (!keepsOutputs(loop)) return undefined;
  // The last comma is missing, and there are two brackets.
  const size = bytes + 1;
  if (size <= maxOutputBytes) return undefined;
  const failure = tooLarge(size, maxOutputBytes);
  return {
    ...failure,
    message: `${failure.message}. With keepOutputs: false a loop keeps the number of its iterations alone`,
  };
}

/** The part of an activity's result about the iteration that its write ended; empty if it ended none. */
export function iterationEnd(
  definition: CompiledDefinition,
  iteration: string | undefined,
  ended: IterationRecord | undefined,
  change: Change | undefined,
  maxOutputBytes: number,
): Pick<RegionResult, 'iterationEnded' | 'loopTooLarge'> {
  const loop = iterationParts(iteration ?? '').at(-1);
  if (!ended || !loop) return {};
  const bytes = change?.loopBytes?.[loopKey(loop.parent, loop.loopId)] ?? 0;
  const compiled = definition.nodes.get(loop.loopId);
  const problem = compiled && entriesProblem(compiled.node, bytes, maxOutputBytes);
  return { iterationEnded: ended.status, ...(problem ? { loopTooLarge: true } : {}) };
}
