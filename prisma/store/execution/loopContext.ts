import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { contextColumns, type RunContext } from './runContext.ts';

export interface LoopContext {
  around: RunContext;
  /** Absent if not requested, and for a repeat. */
  items?: Json[];
  total: number | null;
  /** Maximum of concurrent iterations. */
  atOnce: number;
}

export interface LoopPlace {
  workspaceId: string;
  executionId: string;
  parent: string;
  loopId: string;
}

/** Returns undefined if the execution has no such loop, or the loop has not begun. */
export async function readLoopContext(
  database: Database,
  { workspaceId, executionId, parent, loopId }: LoopPlace,
  { steps, loops }: { steps: readonly string[]; loops: boolean },
): Promise<LoopContext | undefined> {
  const [row] = await database.$queryRaw<
    (RunContext & Omit<LoopContext, 'around' | 'items'> & { items: Json[] | null })[]
  >`
    SELECT ${contextColumns({ steps, iteration: parent, loops })}, l.iterations_total AS total,
      COALESCE(CASE WHEN l.type = 'forEach' THEN (l.input ->> 'concurrency')::numeric::int END, 1) AS "atOnce",
      CASE WHEN ${loops}::boolean AND l.type = 'forEach' THEN l.input -> 'items' END AS items
    FROM executions e
    JOIN execution_steps l ON l.execution_id = e.id AND l.node_id = ${loopId} AND l.iteration = ${parent}
    WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid`;
  if (!row) return undefined;
  const { total, atOnce, items, ...around } = row;
  return { around, total, atOnce, ...(items ? { items } : {}) };
}
