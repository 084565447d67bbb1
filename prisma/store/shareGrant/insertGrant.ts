import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface NewGrant {
  id: string;
  agentId: string;
  subject: { type: 'user' | 'apiKey'; id: string };
  hourlyMessageCap: number;
  /** Null: never. */
  expiresAt: Date | null;
}

/** False if the subject is no member or live key. Replaces an expired grant; a live one violates a constraint. */
export async function insertGrant(database: Database, workspaceId: string, grant: NewGrant): Promise<boolean> {
  const { id, agentId, subject, hourlyMessageCap, expiresAt } = grant;
  const userId = subject.type === 'user' ? subject.id : null;
  const apiKeyId = subject.type === 'apiKey' ? subject.id : null;
  const own = { workspaceId, agentId, ...(userId === null ? { apiKeyId } : { userId }) };
  await database.shareGrant.deleteMany({ where: { ...own, expiresAt: { lte: new Date() } } });
  const rows = await database.$queryRaw<object[]>(Prisma.sql`
    WITH subject AS (
      SELECT FROM workspace_users WHERE workspace_id = ${workspaceId}::uuid AND user_id = ${userId}::uuid
      UNION ALL
      SELECT FROM api_keys WHERE workspace_id = ${workspaceId}::uuid AND id = ${apiKeyId}::uuid AND revoked_at IS NULL
    ), inserted AS (
      INSERT INTO share_grants (id, workspace_id, agent_id, user_id, api_key_id, hourly_message_cap, expires_at)
      SELECT ${id}::uuid, ${workspaceId}::uuid, ${agentId}::uuid, ${userId}::uuid, ${apiKeyId}::uuid,
        ${hourlyMessageCap}::int, ${expiresAt}::timestamptz
      FROM subject
      ON CONFLICT (id) DO NOTHING
    )
    SELECT 1 FROM subject`);
  return rows.length > 0;
}
