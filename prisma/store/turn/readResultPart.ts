import { isUuid } from '../../../domain/isUuid.ts';
import type { Database } from '../../client.ts';

export interface ResultPart {
  text: string;
  characters: number;
}

/** Reads part of a large result: characters of a text, or of another value's JSON. */
export async function readResultPart(
  database: Database,
  workspaceId: string,
  { taskId, resultId }: { taskId: string; resultId: string },
  offset: number,
  length: number,
): Promise<ResultPart | undefined> {
  if (!isUuid(resultId)) return undefined;
  const [row] = await database.$queryRaw<ResultPart[]>`
    SELECT substring(o.text FROM ${offset}::int + 1 FOR ${length}::int) AS text, char_length(o.text) AS characters
    FROM (
      SELECT CASE jsonb_typeof(c.output) WHEN 'string' THEN c.output #>> '{}' ELSE c.output::text END AS text
      FROM run_tool_calls c JOIN task_runs r ON r.id = c.run_id
      WHERE c.result_id = ${resultId}::uuid AND r.task_id = ${taskId}::uuid AND r.workspace_id = ${workspaceId}::uuid
    ) o`;
  return row;
}
