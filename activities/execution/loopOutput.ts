import type { RegionResult } from '../../domain/execution/activityCalls.ts';
import { iterationParts, loopKey } from '../../domain/execution/iteration.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import type { IterationRecord } from '../../domain/execution/stepRecord.ts';
import type { Json } from '../../domain/json.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import { keepsOutputs, type Node } from '../../domain/workflow/definition.ts';
import type { Change } from '../../prisma/store/execution/recordProgress.ts';
import { tooLarge } from './stepSettlement.ts';

export function loopEntry({
  status,
  output = null,
  error,
}: Pick<IterationRecord, 'status' | 'output'> & { error?: IterationRecord['error'] | null }): Json {
  if (status !== 'FAILED') return output;
  // The cause is shown elsewhere and not available to expressions.
  const { cause: _, ...seen } = error ?? {};
  return { error: { ...seen } };
}

/** Returns the bytes of the entry as JSON, including a comma. */
export function entryBytes(iteration: Omit<IterationRecord, 'bytes'>): number {
  return Buffer.byteLength(JSON.stringify(loopEntry(iteration))) + 1;
}

/** Returns undefined while the output of a loop is within the limit; `bytes` is the total of its entries. */
export function entriesProblem(loop: Node, bytes: number, maxOutputBytes: number): Failure | undefined {
  if (!keepsOutputs(loop)) return undefined;
  // Two brackets, minus the last comma.
  const size = bytes + 1;
  if (size <= maxOutputBytes) return undefined;
  const failure = tooLarge(size, maxOutputBytes);
  return {
    ...failure,
    message: `${failure.message}. With keepOutputs: false a loop keeps the number of its iterations alone`,
  };
}

/** Returns the part of an activity's result about the iteration that its write ended; empty if it ended none. */
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
