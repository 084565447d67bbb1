import type { Database } from '../../client.ts';

interface SealedSecret {
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
}

/** True if the app had no secret, or if `replaces` it. */
export async function putAppSecret(
  database: Database,
  workspaceId: string,
  { appId, sealed, keyId }: SealedSecret & { appId: string },
  { replaces }: { replaces: boolean },
): Promise<boolean> {
  const value = { secret: sealed, keyId };
  if (replaces) {
    await database.appSecret.upsert({
      where: { appId, workspaceId },
      create: { workspaceId, appId, ...value },
      update: value,
    });
    return true;
  }
  const { count } = await database.appSecret.createMany({
    data: [{ workspaceId, appId, ...value }],
    skipDuplicates: true,
  });
  return count > 0;
}

/** Returns the secret of the present app with this slug or id. */
export async function readAppSecret(
  database: Database,
  workspaceId: string,
  which: { slug: string } | { appId: string },
): Promise<(SealedSecret & { appId: string }) | undefined> {
  const row = await database.appSecret.findFirst({
    where: 'slug' in which ? { workspaceId, app: { slug: which.slug } } : { workspaceId, appId: which.appId },
    select: { appId: true, secret: true, keyId: true },
  });
  return row ? { appId: row.appId, sealed: row.secret, keyId: row.keyId } : undefined;
}
