import type { UIMessageChunk } from 'ai';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notifyOfRun, type WrittenRun } from './notifyTurn.ts';

/** A group of chunks of one attempt of a step. The writer assigns its sequence, so repeating the write is safe. */
export interface ChunkGroup {
  runId: string;
  step: number;
  attempt: number;
  sequence: number;
  chunks: readonly UIMessageChunk[];
}

export interface WrittenChunks extends WrittenRun {
  stopRequested: boolean;
}

/** Returns parts of a WITH that store the group for run `r` and delete chunks of earlier attempts of its step. */
export function groupStored({ step, attempt, sequence, chunks }: ChunkGroup): Prisma.Sql {
  return Prisma.sql`gone AS (
    DELETE FROM run_chunks c USING r WHERE c.run_id = r.id AND c.step = ${step}::int AND c.attempt < ${attempt}::int
  ), added AS (
    INSERT INTO run_chunks (run_id, sequence, step, attempt, payload)
    SELECT r.id, ${sequence}::int, ${step}::int, ${attempt}::int, ${JSON.stringify(chunks)}::jsonb FROM r
    ON CONFLICT (run_id, sequence) DO NOTHING
  )`;
}

/** Deletes chunks of earlier attempts. Undefined, with no change, if the run has ended or another attempt has begun. */
export async function writeChunks(
  database: Database,
  workspaceId: string,
  group: ChunkGroup,
): Promise<WrittenChunks | undefined> {
  const { runId, attempt, sequence } = group;
  const notified = notifyOfRun(Prisma.sql`r.id`, Prisma.sql`r.revision`, Prisma.sql`r.status`);
  // Raw: fence, group and notification are one statement, which runs 20 times a second per streaming turn.
  const [row] = await rowsOf<WrittenChunks>(
    database,
    Prisma.sql`
    WITH r AS (
      UPDATE task_runs SET sequence = greatest(sequence, ${sequence}::int), revision = revision + 1
      WHERE id = ${runId}::uuid AND workspace_id = ${workspaceId}::uuid AND status = 'RUNNING' AND attempt = ${attempt}::int
      RETURNING id, revision, status, stop_requested_at, followed_until
    ), ${groupStored(group)}
    SELECT r.revision, r.status, r.stop_requested_at IS NOT NULL AS "stopRequested",
      CASE WHEN r.followed_until > now() THEN (SELECT notified FROM (SELECT ${notified}) n) END
    FROM r`,
  );
  return row;
}
