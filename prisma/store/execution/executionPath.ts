import type { RevealSecrets, StoredSecret } from '../../../domain/execution/keptSecret.ts';
import type { ReadLimits } from '../../../domain/execution/readLimits.ts';
import type { Json } from '../../../domain/json.ts';
import { Prisma } from '../../generated/client.ts';
import { SECRETS_SQL } from './secrets.ts';
import { loopTotals, type StepRow, shownStep, stepsJson } from './shownStep.ts';

/**
 * All steps outside loops, and those of the newest iterations with their enclosing ones, from the index of the newest
 * `pathSteps` steps inside loops. OFFSET 0 prevents a join with all steps, whose number the planner cannot know.
 */
export function pathSql(limits: ReadLimits): Prisma.Sql {
  return Prisma.sql`(
    WITH looked AS MATERIALIZED (
      SELECT s.iteration, s.position FROM execution_steps s
      WHERE s.execution_id = t.id AND s.iteration <> '' ORDER BY s.position DESC LIMIT ${limits.pathSteps}::int
    ), newest AS MATERIALIZED (
      SELECT w.iteration FROM looked w
      GROUP BY w.iteration ORDER BY max(w.position) DESC LIMIT ${limits.pathIterations}::int
    ), shown AS MATERIALIZED (
      SELECT DISTINCT array_to_string((string_to_array(n.iteration, '/'))[1:depth], '/') AS iteration
      FROM newest n, generate_series(1, cardinality(string_to_array(n.iteration, '/'))) AS depth
      UNION ALL SELECT ''
    )
    SELECT json_build_object('secrets', ${SECRETS_SQL}, 'leftOut', CASE
      WHEN (SELECT count(*) FROM looked) < ${limits.pathSteps}::int
        AND (SELECT count(*) FROM newest) < ${limits.pathIterations}::int THEN 0
      ELSE (SELECT count(*) FROM execution_steps s WHERE s.execution_id = t.id AND s.iteration <> '')
        - (SELECT count(*) FROM shown CROSS JOIN LATERAL (
            SELECT 1 FROM execution_steps e
            WHERE e.execution_id = t.id AND e.iteration = shown.iteration AND shown.iteration <> '' OFFSET 0
          ) step) END, 'steps', ${stepsJson(
            limits,
            Prisma.sql`SELECT step.* FROM shown CROSS JOIN LATERAL (
        SELECT * FROM execution_steps e WHERE e.execution_id = t.id AND e.iteration = shown.iteration OFFSET 0
      ) step`,
          )}))`;
}

interface PathRows {
  steps: StepRow[];
  secrets: StoredSecret[];
  leftOut: number;
}

export interface ShownPath {
  executionPath: Json;
  stepsLeftOut?: number;
}

export function shownPath(path: Json, open: RevealSecrets): ShownPath {
  const { steps, secrets, leftOut } = path as unknown as PathRows;
  const totals = loopTotals(steps);
  const texts = open(secrets);
  return {
    executionPath: steps.map((row) => shownStep(row, texts, totals)),
    ...(leftOut > 0 ? { stepsLeftOut: leftOut } : {}),
  };
}
