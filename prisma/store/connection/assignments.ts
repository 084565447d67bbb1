import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';
import { maySeeConnection, type Subject } from './mayUseConnection.ts';

/** `absent` has the indexes of users and keys that are not in the workspace: then nothing changes. */
export async function assignSubjects(
  database: Database,
  viewer: Viewer,
  connectionId: string,
  subjects: readonly Subject[],
): Promise<{ isThere: boolean; absent: number[] }> {
  const { workspaceId } = viewer;
  const given = recordset(
    subjects.map(({ type, id }, place) => ({ place, type, id })),
    { place: 'int', type: 'text', id: 'text' },
  );
  const [row] = await rowsOf<{ isThere: boolean; absent: number[] | null }>(
    database,
    Prisma.sql`
    WITH present AS (
      SELECT c.id FROM connections c WHERE c.id = ${connectionId}::uuid AND c.workspace_id = ${workspaceId}::uuid
        AND ${maySeeConnection(viewer, Prisma.sql`c`)} FOR UPDATE OF c
    ), given AS (SELECT * FROM ${given}
    ), absent AS (
      SELECT g.place FROM given g WHERE CASE g.type
        WHEN 'user' THEN NOT EXISTS (SELECT FROM workspace_users m
          WHERE m.workspace_id = ${workspaceId}::uuid AND m.user_id::text = lower(g.id))
        WHEN 'apiKey' THEN NOT EXISTS (SELECT FROM api_keys k
          WHERE k.workspace_id = ${workspaceId}::uuid AND k.id::text = lower(g.id))
        ELSE false END
    ), gone AS (
      DELETE FROM connection_assignments a USING present p
      WHERE a.connection_id = p.id AND NOT EXISTS (SELECT FROM absent)
        AND NOT EXISTS (SELECT FROM given g WHERE g.type = a.subject_type AND lower(g.id) = a.subject_id)
    ), added AS (
      INSERT INTO connection_assignments (connection_id, subject_type, subject_id)
      SELECT p.id, g.type, lower(g.id) FROM present p, given g WHERE NOT EXISTS (SELECT FROM absent)
      ON CONFLICT DO NOTHING
    )
    SELECT EXISTS (SELECT FROM present) AS "isThere", (SELECT json_agg(place ORDER BY place) FROM absent) AS absent`,
  );
  return { isThere: row?.isThere ?? false, absent: row?.absent ?? [] };
}
