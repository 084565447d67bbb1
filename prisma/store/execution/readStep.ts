import type { StoredSecret } from '../../../domain/execution/keptSecret.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import type { ReadLimits } from '../../../domain/execution/readLimits.ts';
import { isUuid } from '../../../domain/isUuid.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { notFound } from '../readResource.ts';
import { EXECUTION } from './resource.ts';
import { SECRETS_SQL } from './secrets.ts';
import { loopTotals, type StepRow, shownStep, stepsJson, type TotalRow, totalsJson } from './shownStep.ts';

/** Returns a step as in `executionPath`, with its whole console. Throws NOT_FOUND, also for another workspace's step. */
export async function readStep(
  database: Database,
  workspaceId: string,
  executionId: string,
  stepId: string,
  limits: ReadLimits,
): Promise<Json> {
  const alone = { ...limits, pathBytes: Number.MAX_SAFE_INTEGER };
  const shown = Prisma.sql`json_build_object('steps', ${stepsJson(alone, Prisma.sql`SELECT s.*`)},
    'totals', ${totalsJson(Prisma.sql`SELECT s.iteration WHERE s.iteration <> ''`)})`;
  const { value, secrets } = await stepColumn<{ steps: StepRow[]; totals: TotalRow[] }>(
    database,
    workspaceId,
    executionId,
    stepId,
    shown,
  );
  const [step] = value.steps;
  if (!step) throw noStep();
  return shownStep(step, secrets, loopTotals(value.totals));
}

/** Has no size limit; null while there is none. Throws NOT_FOUND. */
export async function readStepValue(
  database: Database,
  workspaceId: string,
  executionId: string,
  stepId: string,
  which: 'input' | 'output',
): Promise<Json> {
  const column = which === 'input' ? Prisma.sql`s.input` : Prisma.sql`s.output`;
  const { value, secrets } = await stepColumn<Json>(database, workspaceId, executionId, stepId, column);
  return maskSecrets(value, secrets);
}

async function stepColumn<T>(
  database: Database,
  workspaceId: string,
  executionId: string,
  stepId: string,
  column: Prisma.Sql,
): Promise<{ value: T; secrets: string[] }> {
  if (!isUuid(executionId) || !isUuid(stepId)) throw noStep();
  const [row] = await database.$queryRaw<{ value: T; secrets: StoredSecret[] }[]>`
    SELECT ${column} AS value, ${SECRETS_SQL} AS secrets
    FROM executions t JOIN execution_steps s ON s.execution_id = t.id AND s.id = ${stepId}::uuid
    WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid`;
  if (!row) throw noStep();
  return { value: row.value, secrets: database.revealSecrets(row.secrets) };
}

function noStep(): Problem {
  return new Problem('NOT_FOUND', 'The step does not exist');
}

export async function readOutput(database: Database, workspaceId: string, executionId: string): Promise<Json> {
  const [row] = isUuid(executionId)
    ? await database.$queryRaw<{ output: Json; secrets: StoredSecret[] }[]>`
        SELECT t.output, ${SECRETS_SQL} AS secrets
        FROM executions t WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid`
    : [];
  if (!row) throw notFound(EXECUTION);
  return maskSecrets(row.output, database.revealSecrets(row.secrets));
}

/** Returns the resolved inputs of a step, unmasked; undefined if it has none. */
export async function readStepInput(
  database: Database,
  workspaceId: string,
  executionId: string,
  { nodeId, iteration }: { nodeId: string; iteration: string },
): Promise<JsonObject | undefined> {
  const step = await database.executionStep.findFirst({
    where: { workspaceId, executionId, nodeId, iteration },
    select: { input: true },
  });
  return (step?.input ?? undefined) as JsonObject | undefined;
}
