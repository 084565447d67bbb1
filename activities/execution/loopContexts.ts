import { LRUCache } from 'lru-cache';
import { iterationParts, loopKey } from '../../domain/execution/iteration.ts';
import { unionOfReferences } from '../../domain/expression/references.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { loopPlan } from '../../domain/workflow/scopePlan.ts';
import type { Database } from '../../prisma/client.ts';
import { type LoopContext, type LoopPlace, readLoopContext } from '../../prisma/store/execution/loopContext.ts';
import type { RunContext } from '../../prisma/store/execution/runContext.ts';

/** A loop's context is dropped after this time without an iteration. */
const KEPT_MS = 60_000;
/** The share of the cache that one loop may use: a larger one is read item by item. */
const MAX_OF_ALL = 0.5;

/** The values of outer scopes that nodes inside a loop use. */
interface NamedAround {
  steps: readonly string[];
  /** Items or totals of loops. */
  loops: boolean;
}

export interface IterationContext {
  context: RunContext;
  /** Iterations of its loop that run concurrently. */
  atOnce: number;
}

type Kept = LoopContext | 'tooLarge';

/**
 * Caches the common context of a loop's iterations, read once for each process and loop: trigger, variables, the loop's
 * items, and the outer steps. It is constant while the loop runs: an expression can only use steps on a path to the
 * loop (domain/workflow/stepReferences.ts), and those were final before it began.
 */
export class LoopContexts {
  readonly #kept: LRUCache<string, Kept, { place: LoopPlace; named: NamedAround }>;

  constructor(database: Database, mostBytes: number) {
    const largest = Math.floor(mostBytes * MAX_OF_ALL);
    this.#kept = new LRUCache({
      ttl: KEPT_MS,
      updateAgeOnGet: true,
      maxSize: mostBytes,
      sizeCalculation: sizeOf,
      fetchMethod: async (_key, _stale, { context: { place, named } }) => {
        const read = await readLoopContext(database, place, named);
        return read && sizeOf(read) > largest ? 'tooLarge' : read;
      },
    });
  }

  /** Returns an iteration's context before its first step; undefined if too large or a step is selected at run time. */
  async of(
    definition: CompiledDefinition,
    { workspaceId, executionId, iteration }: { workspaceId: string; executionId: string; iteration: string },
  ): Promise<IterationContext | undefined> {
    const part = iterationParts(iteration).at(-1);
    if (!part) throw new Error('The top is no iteration');
    const { loopId, parent, index } = part;
    const named = namedAround(definition, loopId);
    if (!named) return undefined;
    const key = `${workspaceId}/${executionId}/${loopKey(parent, loopId)}`;
    const place = { workspaceId, executionId, parent, loopId };
    const kept = await this.#kept.fetch(key, { context: { place, named } });
    if (kept === undefined || kept === 'tooLarge') return undefined;
    const { around, items, total, atOnce } = kept;
    if (!named.loops) return { context: around, atOnce };
    const loop = { total, ...(items ? { item: items[index] ?? null } : {}) };
    return { context: { ...around, loops: { ...around.loops, [loopId]: loop } }, atOnce };
  }
}

function sizeOf(kept: Kept): number {
  return kept === 'tooLarge' ? 1 : JSON.stringify(kept).length;
}

const known = new WeakMap<CompiledDefinition, Map<string, NamedAround | undefined>>();

function namedAround(definition: CompiledDefinition, loopId: string): NamedAround | undefined {
  const loops = known.get(definition) ?? new Map<string, NamedAround | undefined>();
  known.set(definition, loops);
  if (!loops.has(loopId)) loops.set(loopId, findNamed(definition, loopId));
  return loops.get(loopId);
}

function findNamed(definition: CompiledDefinition, loopId: string): NamedAround | undefined {
  const inside = insideLoop(definition, loopId);
  const { allSteps, steps, loop, loops } = unionOfReferences(inside.map(({ references }) => references));
  if (allSteps) return undefined;
  const own = new Set(inside.map(({ node }) => node.id));
  return { steps: [...steps].filter((id) => !own.has(id)), loops: loop || loops.size > 0 };
}

export function insideLoop(definition: CompiledDefinition, loopId: string): CompiledNode[] {
  return loopPlan(definition.plan, loopId).nodes.flatMap(({ id }) =>
    id === loopId ? [] : (definition.nodes.get(id) ?? []),
  );
}
