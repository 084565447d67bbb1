import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';

export interface PollStorage {
  /** The polled source (domain/workflow/pollShape.ts); null before the first successful poll. */
  source: string | null;
  cursor: Json;
  /** The other side has asked to be left alone until then. */
  mustWait: boolean;
}

export async function readPollStorage(
  database: Database,
  workspaceId: string,
  workflowId: string,
): Promise<PollStorage | undefined> {
  // Raw: whether the pause is over, the database's clock says.
  const [row] = await database.$queryRaw<PollStorage[]>`
    SELECT source, cursor, coalesce(not_before > now(), false) AS "mustWait" FROM poll_storage
    WHERE workflow_id = ${workflowId}::uuid AND workspace_id = ${workspaceId}::uuid`;
  return row;
}

/** The unseen ones among these. */
export async function unseenKeys(
  database: Database,
  { workflowId, source }: { workflowId: string; source: string },
  keyHashes: readonly string[],
): Promise<Set<string>> {
  // Raw: the statement takes the list and returns the missing keys.
  const rows = await database.$queryRaw<{ key: string }[]>`
    SELECT k.key FROM unnest(${keyHashes}::text[]) AS k (key)
    WHERE NOT EXISTS (
      SELECT FROM poll_seen_keys s
      WHERE s.workflow_id = ${workflowId}::uuid AND s.source = ${source} AND s.key_hash = k.key)`;
  return new Set(rows.map(({ key }) => key));
}
