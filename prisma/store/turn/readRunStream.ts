import type { UIMessage, UIMessageChunk } from 'ai';
import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { Usage } from '../../../domain/agent/usage.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface FollowedGroup {
  sequence: number;
  /** Number of its turn: each turn counts its steps and attempts from 1. */
  turn: number;
  step: number;
  attempt: number;
  chunks: UIMessageChunk[];
}

export interface FollowedRun {
  revision: number;
  status: RunStatus;
  messageId: string;
  /** Its own chunks have higher sequences. */
  firstSequence: number;
  finishReason: string | null;
  code: string | null;
  usages: Usage[];
  groups: FollowedGroup[];
  /** If chunks of its message are deleted: the sequence up to which `parts` replace them. */
  keptTo: number | null;
  parts: UIMessage['parts'] | null;
}

/** Chunks of its message were deleted: those of earlier turns if it runs, or all if it has ended. */
const IS_CUT = Prisma.sql`EXISTS (SELECT FROM task_runs g WHERE g.task_id = r.task_id AND g.message_id = r.message_id
  AND g.number <= r.number AND g.forgotten_at IS NOT NULL)`;

/** Includes chunks of earlier turns of the same message. Undefined if the workspace has no such run. */
export async function readRunStream(
  database: Database,
  workspaceId: string,
  runId: string,
  after: number,
): Promise<FollowedRun | undefined> {
  // Raw: reads status and chunks from one snapshot, so a reader that sees the end has all chunks.
  const [row] = await rowsOf<FollowedRun>(
    database,
    Prisma.sql`
    SELECT r.revision, r.status, r.message_id AS "messageId", r.first_sequence AS "firstSequence",
      r.finish_reason AS "finishReason", r.code,
      COALESCE((SELECT jsonb_agg(o.usage ORDER BY o.number) FROM task_runs o
        WHERE o.task_id = r.task_id AND o.message_id = r.message_id AND o.number <= r.number AND o.usage IS NOT NULL), '[]'::jsonb)
        AS usages,
      COALESCE((
        SELECT jsonb_agg(jsonb_build_object('sequence', c.sequence, 'turn', o.number, 'step', c.step, 'attempt', c.attempt,
          'chunks', c.payload) ORDER BY c.sequence)
        FROM task_runs o JOIN run_chunks c ON c.run_id = o.id
        WHERE o.task_id = r.task_id AND o.message_id = r.message_id AND o.number <= r.number AND c.sequence > ${after}::int
      ), '[]'::jsonb) AS groups,
      CASE WHEN ${IS_CUT} THEN CASE WHEN r.finished_at IS NULL THEN r.first_sequence ELSE r.sequence END END AS "keptTo",
      CASE WHEN ${IS_CUT}
        THEN (SELECT m.parts FROM task_messages m WHERE m.task_id = r.task_id AND m.id = r.message_id) END AS parts
    FROM task_runs r WHERE r.id = ${runId}::uuid AND r.workspace_id = ${workspaceId}::uuid`,
  );
  return row;
}
