import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface LoopProgress {
  /** Id of the loop's step, which differs in each enclosing iteration. */
  id: string;
  nodeId: string;
  /** Its scope; '' outside other loops. */
  iteration: string;
  completed: number;
  failed: number;
  /** Null if unknown. */
  total: number | null;
  isOpen: boolean;
}

/** The parts of an execution that change while its loops run. Its size does not depend on the number of iterations. */
export interface Loops {
  revision: number;
  status: ExecutionStatus;
  /** All top-level loops, and nested loops that are open, in `known`, or newer. */
  loops: LoopProgress[];
  /** Position of the newest step inside loops, a bigint as text. */
  position: string;
  /** A digest that changes with the steps, questions and status outside loops. */
  outside: string;
}

export interface KnownLoops {
  /** Position of the previous read; without it no loop is new. */
  position: string | undefined;
  /** Ids of the loops that were open then. */
  open: readonly string[];
}

const NEWEST = '9223372036854775807';
const OPEN = Prisma.sql`('QUEUED', 'RUNNING', 'RETRYING', 'WAITING', 'NEEDS_INPUT')`;

/** Newer loops come from an index on the position, which rises with each write under a lock of the execution. */
export async function readLoops(
  database: Database,
  workspaceId: string,
  executionId: string,
  known: KnownLoops,
): Promise<Loops | undefined> {
  const position = Prisma.sql`${known.position ?? NEWEST}::bigint`;
  const [row] = await database.$queryRaw<Loops[]>`
    SELECT t.revision, t.status, inside.position, (
        SELECT coalesce(json_agg(json_build_object('id', l.id, 'nodeId', l.node_id, 'iteration', l.iteration,
          'completed', l.iterations_completed, 'failed', coalesce(l.iterations_failed, 0), 'total', l.iterations_total,
          'isOpen', l.status IN ${OPEN}) ORDER BY l.position), '[]')
        FROM (
          SELECT s.* FROM execution_steps s WHERE s.execution_id = t.id AND s.iteration = ''
          UNION ALL
          SELECT s.* FROM execution_steps s
          WHERE s.execution_id = t.id AND s.iteration <> '' AND s.position > ${position}
          UNION ALL
          SELECT s.* FROM execution_steps s
          WHERE s.execution_id = t.id AND s.iteration <> '' AND s.position <= ${position} AND s.status IN ${OPEN}
          UNION ALL
          SELECT s.* FROM execution_steps s
          WHERE s.id = ANY (${known.open}::uuid[]) AND s.execution_id = t.id AND s.position <= ${position}
            AND s.iteration <> '' AND s.status NOT IN ${OPEN}
        ) l WHERE l.iterations_completed IS NOT NULL
      ) AS loops,
      md5(concat_ws(' ', t.status, t.status_message, (
        SELECT string_agg(concat_ws(' ', s.id, s.status, s.attempt), ' ' ORDER BY s.id)
        FROM execution_steps s WHERE s.execution_id = t.id AND s.iteration = ''
      ), (
        SELECT string_agg(p.id::text, ' ' ORDER BY p.id) FROM pending_inputs p
        WHERE p.execution_id = t.id AND p.status = 'OPEN'))) AS outside
    FROM executions t CROSS JOIN LATERAL (
      SELECT coalesce(max(s.position), 0)::text AS position FROM execution_steps s
      WHERE s.execution_id = t.id AND s.iteration <> ''
    ) inside
    WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid`;
  return row;
}
