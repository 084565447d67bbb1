import type { StoredSecret } from '../../../domain/execution/keptSecret.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { SECRETS_SQL } from './secrets.ts';

/** Decides whether a step may be given to a customer's worker. */
export interface WorkerFacts {
  /** Texts of all secrets that the execution and its tree know. */
  secrets: string[];
  isOnlyWorkspace: boolean;
}

export type StoredWorkerFacts = Omit<WorkerFacts, 'secrets'> & { secrets: StoredSecret[] | null };

const IS_ONLY_WORKSPACE = Prisma.sql`NOT EXISTS (SELECT FROM workspaces OFFSET 1)`;

/** StoredWorkerFacts of the execution `e`, as a column. */
export const WORKER_FACTS_SQL = Prisma.sql`json_build_object('isOnlyWorkspace', ${IS_ONLY_WORKSPACE}, 'secrets',
      (SELECT ${SECRETS_SQL} FROM executions t WHERE t.id = e.id AND t.workspace_id = e.workspace_id))`;

export function revealedFacts(database: Database, stored: StoredWorkerFacts | undefined): WorkerFacts | undefined {
  return stored && { ...stored, secrets: database.revealSecrets(stored.secrets ?? []) };
}

export async function isOnlyWorkspace(database: Database): Promise<boolean> {
  const [row] = await rowsOf<{ isOnly: boolean }>(database, Prisma.sql`SELECT ${IS_ONLY_WORKSPACE} AS "isOnly"`);
  return row?.isOnly ?? false;
}

export interface BegunStep {
  stepId: string;
  inputs: JsonObject;
  lineageId: string | null;
  trace: string | null;
}

/** Inputs of a step for a worker hold no secrets, so the row has them unmasked. */
export async function readBegunStep(
  database: Database,
  workspaceId: string,
  { executionId, nodeId, iteration }: { executionId: string; nodeId: string; iteration: string },
): Promise<BegunStep | undefined> {
  const [row] = await rowsOf<BegunStep>(
    database,
    Prisma.sql`
    SELECT s.id AS "stepId", s.input AS inputs, e.lineage_id AS "lineageId", e.trace
    FROM executions e JOIN execution_steps s ON s.execution_id = e.id
    WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid
      AND s.node_id = ${nodeId} AND s.iteration = ${iteration}`,
  );
  return row;
}
