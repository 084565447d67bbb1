import type { Labels } from '../../../domain/execution/labels.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';

export async function readTriggers(
  database: Database,
  workspaceId: string,
  executionIds: readonly string[],
): Promise<{ executionId: string; trigger: Json }[]> {
  const where = { id: { in: [...executionIds] }, workspaceId };
  const rows = await database.execution.findMany({ where, select: { id: true, trigger: true } });
  return rows.map(({ id, trigger }) => ({ executionId: id, trigger: trigger as Json }));
}

/** Skips executions that already have labels. */
export async function storeLabels(
  database: Database,
  workspaceId: string,
  labels: ReadonlyMap<string, Labels>,
): Promise<void> {
  const rows = [...labels].map(([id, of]) => ({ id, labels: of }));
  await database.$executeRaw`
    UPDATE executions e SET labels = x.labels
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(id uuid, labels jsonb)
    WHERE e.id = x.id AND e.workspace_id = ${workspaceId}::uuid AND e.labels IS NULL`;
}
