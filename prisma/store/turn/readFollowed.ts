import type { UIMessage, UIMessageChunk } from 'ai';
import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { Usage } from '../../../domain/agent/usage.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface FollowedGroup {
  sequence: number;
  /** Number of its turn: each counts its steps and attempts from 1. */
  turn: number;
  step: number;
  attempt: number;
  chunks: UIMessageChunk[];
}

/** A turn as its followers need it: the groups of chunks behind a cursor, and where it stands. */
export interface FollowedRun {
  revision: number;
  status: RunStatus;
  messageId: string;
  /** Its own chunks stand behind this. */
  firstSequence: number;
  finishReason: string | null;
  code: string | null;
  /** Of the turns that have made its message so far. */
  usages: Usage[];
  groups: FollowedGroup[];
  /** Of the message of a turn whose chunks are gone. */
  parts: UIMessage['parts'] | null;
}

/** With chunks of the turns before it that made the same message. Undefined where the workspace has no such run. */
export async function readFollowed(
  database: Database,
  workspaceId: string,
  runId: string,
  after: number,
): Promise<FollowedRun | undefined> {
  // Raw: one snapshot of status and chunks: a reader that sees the end has all chunks.
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
      CASE WHEN r.finished_at IS NOT NULL AND NOT EXISTS (SELECT FROM run_chunks c WHERE c.run_id = r.id)
        THEN (SELECT m.parts FROM task_messages m WHERE m.task_id = r.task_id AND m.id = r.message_id) END AS parts
    FROM task_runs r WHERE r.id = ${runId}::uuid AND r.workspace_id = ${workspaceId}::uuid`,
  );
  return row;
}
