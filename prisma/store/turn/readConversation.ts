import type { UIMessage, UIMessageChunk } from 'ai';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface Conversation {
  /** As they are stored, oldest first, up to the turn: those that wait behind it are not its own. */
  messages: UIMessage[];
  /** What the turn itself has streamed, in order. */
  chunks: UIMessageChunk[];
}

/** What a turn knows, at an attempt of a step (`from`) or at its end: the messages of its task up to it, and what it has streamed beyond its stored message. */
export async function readConversation(
  database: Database,
  workspaceId: string,
  runId: string,
  from?: { step: number; attempt: number },
): Promise<Conversation | undefined> {
  // A step that is asked anew replaces what its earlier attempts have streamed.
  const counts =
    from === undefined
      ? Prisma.empty
      : Prisma.sql`AND NOT (c.step = ${from.step}::int AND c.attempt < ${from.attempt}::int)`;
  // Raw: one snapshot of messages and chunks.
  const [row] = await rowsOf<{ messages: UIMessage[]; groups: UIMessageChunk[][] }>(
    database,
    Prisma.sql`
    SELECT COALESCE((
        SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', m.id, 'role', m.role, 'metadata', m.metadata))
            || jsonb_build_object('parts', m.parts) ORDER BY m.position)
        FROM task_messages m WHERE m.task_id = r.task_id AND m.position <= r.number::bigint * 2 + 1
      ), '[]'::jsonb) AS messages,
      COALESCE((SELECT jsonb_agg(c.payload ORDER BY c.sequence) FROM run_chunks c WHERE c.run_id = r.id ${counts}), '[]'::jsonb) AS groups
    FROM task_runs r WHERE r.id = ${runId}::uuid AND r.workspace_id = ${workspaceId}::uuid`,
  );
  return row && { messages: row.messages, chunks: row.groups.flat() };
}
