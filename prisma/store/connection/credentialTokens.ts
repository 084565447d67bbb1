import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { ENDED } from '../execution/endedStatus.ts';

// Single-use tokens with which code outside Perdure gets the credentials of its call. Only their hashes are stored.

/** Starts when the step is given to its queue; a wait for a worker does not count. */
export const TOKEN_LIFE_MS = 600_000;

/** A step on a customer's worker. */
export interface TokenOwner {
  executionId: string;
  nodeId: string;
  iteration: string;
  connectionId: string;
}

function hashOf(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Replaces the token of an earlier attempt. */
export async function issueToken(database: Database, workspaceId: string, owner: TokenOwner): Promise<string> {
  const token = newToken();
  const { executionId, nodeId, iteration, connectionId } = owner;
  // Raw: the database's clock, and one statement for both cases.
  await database.$executeRaw`
    INSERT INTO credential_tokens (execution_id, node_id, iteration, workspace_id, connection_id, hash, expires_at)
    SELECT e.id, ${nodeId}, ${iteration}, e.workspace_id, ${connectionId}::uuid, ${hashOf(token)},
      now() + make_interval(secs => ${TOKEN_LIFE_MS / 1_000})
    FROM executions e WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid
    ON CONFLICT (execution_id, node_id, iteration) DO UPDATE SET
      connection_id = excluded.connection_id, hash = excluded.hash, expires_at = excluded.expires_at`;
  return token;
}

/** Issues a token that its caller revokes when the call has ended. */
export async function lendToken(database: Database, workspaceId: string, connectionId: string): Promise<string> {
  const token = newToken();
  // Raw: the database's clock.
  await database.$executeRaw`
    INSERT INTO credential_tokens (workspace_id, connection_id, hash, expires_at)
    VALUES (${workspaceId}::uuid, ${connectionId}::uuid, ${hashOf(token)},
      now() + make_interval(secs => ${TOKEN_LIFE_MS / 1_000}))`;
  return token;
}

export async function revokeToken(database: Database, workspaceId: string, token: string): Promise<void> {
  await database.credentialToken.deleteMany({ where: { workspaceId, hash: hashOf(token) } });
}

/** Deletes at most `limit` tokens of calls whose worker has died, and returns their number. */
export function deleteExpiredTokens(database: Database, limit: number): Promise<number> {
  return database.$executeRaw`
    DELETE FROM credential_tokens WHERE hash IN (
      SELECT hash FROM credential_tokens WHERE execution_id IS NULL AND expires_at <= now()
      ORDER BY expires_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)`;
}

export interface SpentToken {
  workspaceId: string;
  connectionId: string;
}

/** Spends a token. Undefined if it is unknown, spent, revoked or expired, or if its step no longer runs. */
export async function spendToken(database: Database, token: string): Promise<SpentToken | undefined> {
  // Raw: the step's state and the database's clock decide within the statement that spends it.
  const [row] = await rowsOf<SpentToken>(
    database,
    Prisma.sql`
    DELETE FROM credential_tokens t
    WHERE t.hash = ${hashOf(token)} AND (t.execution_id IS NULL AND t.expires_at > now() OR EXISTS (
      SELECT FROM executions e JOIN execution_steps s ON s.execution_id = e.id
      WHERE e.id = t.execution_id AND e.workspace_id = t.workspace_id AND e.status NOT IN ${ENDED}
        AND s.node_id = t.node_id AND s.iteration = t.iteration AND s.task_queue IS NOT NULL
        AND (s.status = 'WAITING' OR s.status = 'RUNNING' AND t.expires_at > now())))
    RETURNING t.workspace_id AS "workspaceId", t.connection_id AS "connectionId"`,
  );
  return row;
}
