import { createHash } from 'node:crypto';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import type { MemoryPlace } from './memoryPlace.ts';

export interface Fact {
  id: string;
  fact: string;
  /** ISO 8601. */
  rememberedAt: string;
}

function factsOf({ workspaceId, agentId, userId, apiKeyId, retentionDays }: MemoryPlace): Prisma.Sql {
  return Prisma.sql`m.workspace_id = ${workspaceId}::uuid AND m.agent_id = ${agentId}::uuid
    AND m.user_id IS NOT DISTINCT FROM ${userId}::uuid AND m.api_key_id IS NOT DISTINCT FROM ${apiKeyId}::uuid
    AND (${retentionDays}::int IS NULL OR m.updated_at > now() - make_interval(days => ${retentionDays}::int))`;
}

/** Stores a fact, or renews its time. Undefined if the place has `most` other facts. Idempotent. */
export async function rememberFact(
  database: Database,
  place: MemoryPlace,
  { id, fact, most }: { id: string; fact: string; most: number },
): Promise<string | undefined> {
  const { workspaceId, agentId, userId, apiKeyId, retentionDays } = place;
  const digest = createHash('sha256').update(fact).digest();
  const [row] = await rowsOf<{ id: string | null }>(
    database,
    Prisma.sql`
    SELECT remember_fact(${id}::uuid, ${workspaceId}::uuid, ${agentId}::uuid, ${userId}::uuid, ${apiKeyId}::uuid,
      ${retentionDays}::int, ${fact}, ${digest}::bytea, ${most}::int) AS id`,
  );
  return row?.id ?? undefined;
}

/** Returns facts with the words first, then the newest. `words` contain only letters and digits. */
export function recallFacts(
  database: Database,
  place: MemoryPlace,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<Fact[]> {
  const query = words.join(' | ');
  const rank =
    query === ''
      ? Prisma.empty
      : Prisma.sql`ts_rank(to_tsvector('simple', m.fact), to_tsquery('simple', ${query})) DESC,`;
  return rowsOf<Fact>(
    database,
    Prisma.sql`
    SELECT m.id, m.fact, to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "rememberedAt"
    FROM agent_memories m WHERE ${factsOf(place)} ORDER BY ${rank} m.updated_at DESC, m.id DESC LIMIT ${limit}::int`,
  );
}

export async function forgetFact(database: Database, place: MemoryPlace, id: string): Promise<boolean> {
  const count = await database.$executeRaw(
    Prisma.sql`DELETE FROM agent_memories m WHERE m.id = ${id}::uuid AND ${factsOf({ ...place, retentionDays: null })}`,
  );
  return count > 0;
}

/** Deletes at most `limit` facts past their agents' retention, in all workspaces. Housekeeping. */
export function deleteOldFacts(database: Database, limit: number): Promise<number> {
  return database.$executeRaw(Prisma.sql`
    DELETE FROM agent_memories WHERE id IN (
      SELECT m.id FROM agents a JOIN agent_memories m ON m.agent_id = a.id
        AND m.updated_at <= now() - make_interval(days => (a.definition ->> 'memoryRetentionDays')::int)
      WHERE a.definition ->> 'memoryRetentionDays' IS NOT NULL
      LIMIT ${limit}::int FOR UPDATE OF m SKIP LOCKED)`);
}
