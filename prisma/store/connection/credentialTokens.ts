import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { ENDED } from '../execution/endedStatus.ts';

// Single-use tokens with which a customer's worker gets the credentials of its step. Only their hashes are stored.

/** Starts when the step is given to its queue; a wait for a worker does not count. */
export const TOKEN_LIFE_MS = 600_000;

export interface TokenOwner {
  executionId: string;
  nodeId: string;
  iteration: string;
  connectionId: string;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Replaces the token of an earlier attempt. */
export async function issueToken(database: Database, workspaceId: string, owner: TokenOwner): Promise<string> {
  const token = randomBytes(32).toString('base64url');
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

export interface SpentToken {
  workspaceId: string;
  connectionId: string;
}

/** Spends a token. Undefined if it is unknown, spent or expired, or if its step no longer runs. */
export async function spendToken(database: Database, token: string): Promise<SpentToken | undefined> {
  // Raw: the step's state and the database's clock decide within the statement that spends it.
  const [row] = await rowsOf<SpentToken>(
    database,
    Prisma.sql`
    DELETE FROM credential_tokens t USING executions e, execution_steps s
    WHERE t.hash = ${hashOf(token)} AND e.id = t.execution_id AND e.workspace_id = t.workspace_id
      AND e.status NOT IN ${ENDED}
      AND s.execution_id = t.execution_id AND s.node_id = t.node_id AND s.iteration = t.iteration
      AND s.task_queue IS NOT NULL
      AND (s.status = 'WAITING' OR s.status = 'RUNNING' AND t.expires_at > now())
    RETURNING t.workspace_id AS "workspaceId", t.connection_id AS "connectionId"`,
  );
  return row;
}
