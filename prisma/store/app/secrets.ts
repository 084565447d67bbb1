import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';

interface SealedSecret {
  appId: string;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
}

const COLUMNS = { appId: 'uuid', sealed: 'text', keyId: 'text' } as const;

/** Returns the ids of the apps whose secret was written: those that had none, and with `replaces` all. */
export async function putAppSecrets(
  database: Database,
  workspaceId: string,
  secrets: readonly SealedSecret[],
  { replaces }: { replaces: boolean },
): Promise<Set<string>> {
  if (secrets.length === 0) return new Set();
  const given = secrets.map((each) => ({ ...each, sealed: Buffer.from(each.sealed).toString('base64') }));
  // Raw: one statement for all apps of a bundle.
  const rows = await rowsOf<{ appId: string }>(
    database,
    Prisma.sql`
    INSERT INTO app_secrets AS s (workspace_id, app_id, secret, key_id)
    SELECT ${workspaceId}::uuid, r."appId", decode(r.sealed, 'base64'), r."keyId" FROM ${recordset(given, COLUMNS)}
    ON CONFLICT (app_id) DO UPDATE SET secret = excluded.secret, key_id = excluded.key_id
      WHERE ${replaces} AND s.workspace_id = excluded.workspace_id
    RETURNING s.app_id AS "appId"`,
  );
  return new Set(rows.map(({ appId }) => appId));
}

/** Returns the secret of the present app with this slug or id. */
export async function readAppSecret(
  database: Database,
  workspaceId: string,
  which: { slug: string } | { appId: string },
): Promise<SealedSecret | undefined> {
  const row = await database.appSecret.findFirst({
    where: 'slug' in which ? { workspaceId, app: { slug: which.slug } } : { workspaceId, appId: which.appId },
    select: { appId: true, secret: true, keyId: true },
  });
  return row ? { appId: row.appId, sealed: row.secret, keyId: row.keyId } : undefined;
}
