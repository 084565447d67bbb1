import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import { sweepExpired } from '../../engine/duties/forget.ts';
import type { Database } from '../../prisma/client.ts';
import { putContent } from '../../prisma/store/app/contents.ts';
import { lendToken, spendToken } from '../../prisma/store/connection/credentialTokens.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';

let own: MigratedDatabase;
let database: Database;
let workspaceId: string;

beforeAll(async () => {
  own = await startMigratedDatabase();
  database = own.database;
  workspaceId = await insertOwnWorkspace(database);
});
afterAll(() => own?.dispose());

const sweep = () =>
  sweepExpired({ database }, { objectChangeDays: 7, eventDays: 14, auditDays: 0 }, 1_000).run(
    new AbortController().signal,
    () => undefined,
    ALL_BUCKETS,
  );

async function content(text: string, hoursAgo: number): Promise<string> {
  const digest = createHash('sha256').update(text).digest('hex');
  const bytes = new Uint8Array(Buffer.from(text));
  expect(await putContent(database, workspaceId, { digest, content: bytes, maxUploads: 10 })).toBe(true);
  const putAt = new Date(Date.now() - hoursAgo * 3_600_000);
  await database.appContent.update({ where: { workspaceId_digest: { workspaceId, digest } }, data: { putAt } });
  return digest;
}

test('a content that no app names is deleted after a day', async () => {
  const [old, recent, named] = [await content('old', 25), await content('recent', 23), await content('named', 25)];
  await database.appVersion.create({
    data: { workspaceId, digest: 'd', slug: 'shop', manifest: {}, contentDigest: named },
  });
  await sweep();
  const left = await database.appContent.findMany({ where: { workspaceId }, select: { digest: true } });
  expect(left.map(({ digest }) => digest).sort()).toEqual([recent, named].sort());
  expect(left).not.toContainEqual({ digest: old });
});

test('a lent token is spent once, and deleted when it has expired', async () => {
  const connectionId = v7();
  await database.connection.create({
    data: {
      ...{
        id: connectionId,
        workspaceId,
        workflowAppId: 'shop',
        connectionType: 'key',
        name: 'k',
        status: 'connected',
      },
      ...{ credentials: new Uint8Array([1]), keyId: 'k' },
    },
  });
  const lend = () => lendToken(database, workspaceId, connectionId);
  const [spent, expired, open] = [await lend(), await lend(), await lend()];
  expect(await spendToken(database, spent)).toEqual({ workspaceId, connectionId });
  expect(await spendToken(database, spent)).toBeUndefined();
  const hash = new Uint8Array(createHash('sha256').update(expired).digest());
  await database.credentialToken.update({ where: { hash }, data: { expiresAt: new Date(Date.now() - 1_000) } });
  expect(await spendToken(database, expired)).toBeUndefined();
  await sweep();
  expect(await database.credentialToken.count()).toBe(1);
  expect(await spendToken(database, open)).toEqual({ workspaceId, connectionId });
});
