import type { StoredSecret } from '../../../domain/execution/keptSecret.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { SECRETS_SQL } from '../execution/secrets.ts';

export interface StoredToolResult {
  output: Json;
  /** Error of the last failed step, or of the execution itself. */
  error: string | null;
}

/** Without secrets, for a model. */
export async function readToolResult(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<StoredToolResult> {
  const [row] = await database.$queryRaw<(StoredToolResult & { secrets: StoredSecret[] })[]>`
    SELECT t.output, COALESCE((
        SELECT s.error ->> 'message' FROM execution_steps s
        WHERE s.execution_id = t.id AND s.error IS NOT NULL ORDER BY s.stopped_at DESC NULLS LAST LIMIT 1
      ), t.status_message) AS error, ${SECRETS_SQL} AS secrets
    FROM executions t WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid`;
  if (!row) return { output: null, error: 'The execution is gone' };
  const { secrets, ...result } = row;
  return maskSecrets(result as unknown as Json, database.revealSecrets(secrets)) as unknown as StoredToolResult;
}
