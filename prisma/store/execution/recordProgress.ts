import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { WebhookResponse } from '../../../domain/execution/stepRecord.ts';
import type { Json } from '../../../domain/json.ts';
import type { NotedProgress } from '../../../domain/operation/storeObserver.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { type ProgressWrite, progressCall } from './progressWrite.ts';
import { keepSecrets, rootOf } from './secrets.ts';

/** A visible change of an execution, as the change feed sends it. */
export interface Change {
  executionId: string;
  revision: number;
  status: ExecutionStatus;
  responded: boolean;
  /** By loop key, for each loop with an iteration that ended: the bytes of all its entries so far. */
  loopBytes?: Record<string, number>;
  /** The result in the write itself, which saves listeners in the same process a read. */
  result?: ExecutionResult;
}

export interface ExecutionResult {
  status: ExecutionStatus;
  statusMessage: string | null;
  output: Json;
  response: WebhookResponse | null;
}

/** Metrics of a write; null if it changed nothing that they count. */
export interface Noted {
  noted: NotedProgress | null;
}

export const CHANGE_CHANNEL = 'perdure_change';

/**
 * For writes other than record_progress. `row`: workspace_id, id, revision, status, responded, notice, followed_until.
 */
export function notifyOf(row: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`notify_change(${row}.workspace_id, ${row}.id, ${row}.revision, ${row}.status, ${row}.responded,
    ${row}.notice, ${row}.followed_until, ${row}.responded)::text AS notified`;
}

/** Only a write that ends the execution has its result. It lacks an answer that an earlier write gave. */
function resultOf({ end, response }: ProgressWrite): { result?: ExecutionResult } {
  if (!end) return {};
  const { status, statusMessage = null, output = null } = end;
  return { result: { status, statusMessage, output, response: response ?? null } };
}

function consolesOf({ steps }: ProgressWrite): string | undefined {
  const said = steps.flatMap(({ nodeId, iteration, attempt, console: lines }) =>
    lines ? [{ nodeId, iteration, attempt, lines }] : [],
  );
  return said.length === 0 ? undefined : JSON.stringify(said);
}

/** Part of the write's statement; has an effect only if the execution was open. */
function keepConsoles(workspaceId: string, executionId: string, consoles: string): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO step_consoles AS k (execution_id, node_id, iteration, workspace_id, attempt, lines)
    SELECT ${executionId}::uuid, x."nodeId", x.iteration, ${workspaceId}::uuid, x.attempt, x.lines
    FROM c, jsonb_to_recordset(${consoles}::jsonb) AS x("nodeId" text, iteration text, attempt int, lines jsonb)
    ON CONFLICT (execution_id, node_id, iteration) DO UPDATE SET attempt = excluded.attempt, lines = excluded.lines
    WHERE k.attempt <= excluded.attempt`;
}

const FROM_CALL = Prisma.sql`1 FROM c`;

/** Returns undefined if the execution has already ended. */
export async function recordProgress(
  database: Database,
  workspaceId: string,
  executionId: string,
  write: ProgressWrite,
): Promise<Change | undefined> {
  const notified = Prisma.sql`SELECT revision, status, responded, noted, loop_bytes AS "loopBytes"`;
  const call = progressCall(workspaceId, executionId, write);
  const consoles = consolesOf(write);
  const secrets = write.steps.flatMap((step) => step.secrets ?? []);
  const kept = [
    ...(consoles === undefined ? [] : [Prisma.sql`consoles AS (${keepConsoles(workspaceId, executionId, consoles)})`]),
    ...(secrets.length === 0
      ? []
      : [Prisma.sql`secrets AS (${keepSecrets(workspaceId, rootOf(workspaceId, executionId), secrets, FROM_CALL)})`]),
  ];
  const [row] = await rowsOf<
    Omit<Change, 'executionId' | 'loopBytes'> & Noted & { loopBytes: Record<string, number> | null }
  >(
    database,
    kept.length === 0
      ? Prisma.sql`${notified} FROM ${call} c`
      : Prisma.sql`WITH c AS MATERIALIZED (SELECT * FROM ${call}), ${Prisma.join(kept)} ${notified} FROM c`,
  );
  if (row?.noted) database.observer.progressed(row.noted);
  if (!row) return undefined;
  const { revision, status, responded, loopBytes } = row;
  return { executionId, revision, status, responded, ...(loopBytes ? { loopBytes } : {}), ...resultOf(write) };
}
