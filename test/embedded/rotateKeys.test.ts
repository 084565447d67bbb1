// test: long
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { rotateKeys } from '../../engine/secrets/rotateKeys.ts';
import { createSealer, type Sealer } from '../../engine/secrets/sealer.ts';
import { sealPlace } from '../../engine/secrets/sealPlace.ts';
import { replaceSealed, rowsOfOtherKeys } from '../../prisma/store/sealed/sealedRows.ts';
import { SEALED_TABLES, type SealedTableName } from '../../prisma/store/sealed/sealedTables.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';
import { poll } from '../setup/jest/poll.ts';

const [k0, k1, k2] = ['k0', 'k1', 'k2'].map((id) => `${id}:${randomBytes(32).toString('base64')}`);
const [before, both, after] = [createSealer(k1), createSealer(`${k2},${k1}`), createSealer(k2)];
const NAMES = Object.keys(SEALED_TABLES) as SealedTableName[];

let own: MigratedDatabase;
let workspaceId: string;

beforeAll(async () => {
  own = await startMigratedDatabase(4);
});
afterAll(() => own?.dispose());

beforeEach(async () => {
  for (const name of NAMES) await own.database.$executeRawUnsafe(`DELETE FROM ${name}`);
  workspaceId = await insertOwnWorkspace(own.database);
});

async function connect(sealer: Sealer, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    const id = v7();
    const { sealed, keyId } = sealer.seal(sealPlace('connections', { workspace_id: workspaceId, id }), id);
    return { id, workspaceId, workflowAppId: 'http', connectionType: 'bearer', name: id, credentials: sealed, keyId };
  });
  await own.database.connection.createMany({ data: rows });
}

async function enrol(sealer: Sealer): Promise<string> {
  const user = await own.database.user.create({ data: { id: v7(), email: `${v7()}@example.com`, name: 'n' } });
  const { sealed, keyId } = sealer.seal(sealPlace('second_factors', { user_id: user.id }), user.id);
  await own.database.secondFactor.create({ data: { userId: user.id, secret: sealed, keyId } });
  return user.id;
}

async function leaveForProvider(sealer: Sealer): Promise<void> {
  const stateHash = new Uint8Array(randomBytes(32));
  const hex = Buffer.from(stateHash).toString('hex');
  const { sealed, keyId } = sealer.seal(sealPlace('sso_logins', { state_hash: hex }), hex);
  const login = { providerId: 'p', browserHash: stateHash, nonce: 'n', expiresAt: new Date(Date.now() + 600_000) };
  await own.database.ssoLogin.create({ data: { ...login, stateHash, codeVerifier: sealed, keyId } });
}

/** Includes a response without a secret, which is not sealed. */
async function keepAnswers(sealer: Sealer): Promise<void> {
  const key = `It's "a" Key, ${v7()}`;
  const place = sealPlace('idempotency_keys', { workspace_id: workspaceId, operation: 'createApiKey', key });
  const { sealed, keyId } = sealer.seal(place, key);
  const later = new Date(Date.now() + 600_000);
  const row = { workspaceId, fingerprint: new Uint8Array(1), resourceId: v7(), lockedUntil: later, expiresAt: later };
  const data = [
    { ...row, operation: 'createApiKey', key, status: 201, answer: { body: null }, sealedBody: sealed, keyId },
    { ...row, operation: 'createProject', key, status: 201, answer: { body: 'plain' } },
  ];
  await own.database.idempotencyKey.createMany({ data });
}

async function sendMail(sealer: Sealer): Promise<void> {
  const id = v7();
  const { sealed, keyId } = sealer.seal(sealPlace('outgoing_mails', { id }), id);
  await own.database.outgoingMail.create({ data: { id, sealed, keyId, expiresAt: new Date(Date.now() + 600_000) } });
}

/** Opens all sealed rows; throws if one fails or has another row's content. */
async function openAll(sealer: Sealer): Promise<number> {
  let opened = 0;
  for (const name of NAMES) {
    for (const found of await rowsOfOtherKeys(own.database, name, 'none', undefined, 100_000)) {
      const text = sealer.open(sealPlace(name, found.row as never), found);
      if (!Object.values(found.row).includes(text))
        throw new Error(`${name} ${JSON.stringify(found.row)} holds ${text}`);
      opened++;
    }
  }
  return opened;
}

function keysOf(name: SealedTableName) {
  return own.database.$queryRawUnsafe<{ key_id: string; count: number }[]>(
    `SELECT key_id, count(*)::int AS count FROM ${name} WHERE key_id IS NOT NULL GROUP BY key_id ORDER BY key_id`,
  );
}

test('the rotation knows every table with a key id', async () => {
  const columns = await own.database.$queryRaw<{ table: string; columns: string[] }[]>`
    SELECT k.table_name AS "table", array_agg(s.column_name::text) AS columns
    FROM information_schema.columns k JOIN information_schema.columns s
      ON s.table_schema = k.table_schema AND s.table_name = k.table_name AND s.data_type = 'bytea'
    WHERE k.table_schema = 'public' AND k.column_name = 'key_id' GROUP BY k.table_name ORDER BY k.table_name`;
  expect(columns.map(({ table }) => table)).toEqual([...NAMES].sort());
  for (const { table, columns: bytes } of columns)
    expect(bytes).toContain(SEALED_TABLES[table as SealedTableName].column);
  const keys = await own.database.$queryRaw<{ table: string; columns: string }[]>`
    SELECT indrelid::regclass::text AS "table", string_agg(a.attname, ',' ORDER BY k.at) AS columns
    FROM pg_index JOIN unnest(indkey) WITH ORDINALITY AS k (num, at) ON true
      JOIN pg_attribute a ON a.attrelid = indrelid AND a.attnum = k.num
    WHERE indisprimary AND indrelid::regclass::text = ANY (${NAMES}) GROUP BY indrelid`;
  for (const { table, columns: primary } of keys) {
    expect(Object.keys(SEALED_TABLES[table as SealedTableName].row)).toEqual(
      expect.arrayContaining(primary.split(',')),
    );
  }
});

test('values of older keys are sealed again, batch by batch, and open at any moment', async () => {
  await connect(before, 25);
  for (const _ of Array(7))
    await Promise.all([enrol(before), leaveForProvider(before), keepAnswers(before), sendMail(before)]);
  await enrol(both);
  const total = 25 + 4 * 7 + 1;
  const batches = [];
  for await (const batch of rotateKeys(own.database, both, 10)) {
    batches.push(batch);
    expect(await openAll(both)).toBe(total);
  }
  expect(batches.map(({ table, resealed }) => `${table} ${resealed}`)).toEqual([
    'connections 10',
    'connections 10',
    'connections 5',
    'idempotency_keys 7',
    'outgoing_mails 7',
    'second_factors 7',
    'sso_logins 7',
  ]);
  expect(await openAll(after)).toBe(total);
  for await (const batch of rotateKeys(own.database, both)) throw new Error(`nothing was left, but ${batch.table}`);
});

test('a value that was sealed meanwhile stays, with any key', async () => {
  const userId = await enrol(before);
  const read = await rowsOfOtherKeys(own.database, 'second_factors', 'k2', undefined, 10);
  const place = sealPlace('second_factors', { user_id: userId });
  // Sealed by a process without the new first key.
  const { sealed, keyId } = createSealer(`${k1},${k2}`).seal(place, 'enrolled again');
  await own.database.secondFactor.update({ where: { userId }, data: { secret: sealed, keyId } });
  const resealed = read.map((row) => ({ ...row, resealed: both.seal(place, 'stale').sealed }));
  expect([resealed.length, await replaceSealed(own.database, 'second_factors', resealed, 'k2')]).toEqual([1, 0]);
  const kept = await own.database.secondFactor.findUniqueOrThrow({ where: { userId } });
  expect(both.open(place, { sealed: kept.secret, keyId: kept.keyId })).toBe('enrolled again');
});

function rotating(keys: string): ChildProcess {
  const env = { ...process.env, DATABASE_URL: own.url, ENCRYPTION_KEY: keys };
  const main = join(PROJECT_ROOT, 'dist/api/admin/main.js');
  return spawn(process.execPath, [main, 'keys', 'rotate'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function outcomeOf(child: ChildProcess) {
  const texts = ['', ''];
  child.stdout?.on('data', (text) => {
    texts[0] += text;
  });
  child.stderr?.on('data', (text) => {
    texts[1] += text;
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, stdout: texts[0] as string, stderr: texts[1] as string };
}

test('the command continues where it was killed', async () => {
  const count = 8_000;
  await connect(before, count);
  await enrol(before);
  const killed = rotating(`${k2},${k1}`);
  const ended = once(killed, 'exit');
  await poll(async () => (await keysOf('connections')).length, { timeout: 60_000, interval: 5 }).toBe(2);
  killed.kill('SIGKILL');
  await ended;
  const left = (await keysOf('connections')).find(({ key_id }) => key_id === 'k1')?.count ?? 0;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(count);
  expect(await openAll(both)).toBe(count + 1);

  const { exitCode, stdout, stderr } = await outcomeOf(rotating(`${k2},${k1}`));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const resealed = {
    connections: left,
    deleted_connections: 0,
    connection_authorizations: 0,
    app_secrets: 0,
    event_subscriptions: 0,
    idempotency_keys: 0,
    outgoing_mails: 0,
    second_factors: 1,
    sso_logins: 0,
    variables: 0,
  };
  expect(JSON.parse(stdout)).toEqual({ keyId: 'k2', resealed, inUse: { k2: count + 1 } });
  expect(await openAll(after)).toBe(count + 1);
});

test('a value that does not open is named, stays unchanged, and does not stop the rotation', async () => {
  await connect(createSealer(k0), 1);
  await connect(before, 3);
  const { exitCode, stderr } = await outcomeOf(rotating(`${k2},${k1}`));
  expect(exitCode).toBe(2);
  const inUse = { k0: 1, k2: 3 };
  const resealed = {
    app_secrets: 0,
    connections: 3,
    deleted_connections: 0,
    connection_authorizations: 0,
    event_subscriptions: 0,
    idempotency_keys: 0,
    outgoing_mails: 0,
    second_factors: 0,
    sso_logins: 0,
    variables: 0,
  };
  expect(stderr).toContain(JSON.stringify({ resealed, inUse }));
  expect(stderr).toContain('sealed with the key "k0", which ENCRYPTION_KEY lacks');
  for (const key of [k0, k1, k2]) expect(stderr).not.toContain(key?.slice(3) as string);
  expect(await openAll(createSealer(`${k2},${k0}`))).toBe(4);
});
