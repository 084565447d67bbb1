// test: long
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { v7 } from 'uuid';
import { connectionOf } from '../../engine/backup/postgresPrograms.ts';
import { createSealer } from '../../engine/secrets/sealer.ts';
import { sealPlace } from '../../engine/secrets/sealPlace.ts';
import { createDatabase, type Database } from '../../prisma/client.ts';
import { migrate } from '../../prisma/migrate.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { wheelBinaries } from '../postgres/binaries.mjs';
import { type StartedPostgres, startPostgres } from '../postgres/startPostgres.mjs';
import { insertOwnExecution } from '../setup/database/ownRows.ts';

const [k1, k2, other] = ['k1', 'k2', 'k1'].map((id) => `${id}:${randomBytes(32).toString('base64')}`) as [
  string,
  string,
  string,
];
const STARTED_MS = 300_000;
const folder = mkdtempSync(join(tmpdir(), 'perdure-backup-'));
let server: StartedPostgres;
let source: string;
let database: Database;
let executionId: string;

async function newDatabase(): Promise<string> {
  const name = `backup_${randomBytes(6).toString('hex')}`;
  await onDatabase(server.url, `CREATE DATABASE ${name}`);
  return Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
}

async function onDatabase(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

interface Run {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs `npm run admin -- …` for a deployment without Temporal's database. */
function admin(url: string, args: string[], environment: Record<string, string> = {}): Promise<Run> {
  const main = join(PROJECT_ROOT, 'dist/api/admin/main.js');
  const PATH = `${server.bin}:${process.env.PATH}`;
  const env = { ...process.env, PATH, ENCRYPTION_KEY: `${k2},${k1}`, DATABASE_URL: url, ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args, '--without-temporal'], { env }, (error, stdout, stderr) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

const backup = (to: string, environment?: Record<string, string>) => admin(source, ['backup', '--to', to], environment);
const restore = (url: string, from: string, environment?: Record<string, string>) =>
  admin(url, ['restore', '--from', from, '--report', join(folder, `${v7()}.jsonl`)], environment);

beforeAll(async () => {
  server = await startPostgres((home) => wheelBinaries(home));
  source = await newDatabase();
  await migrate(source);
  database = createDatabase(source, 2);
  const own = await insertOwnExecution(database);
  executionId = own.executionId;
  await database.execution.update({ where: { id: executionId }, data: { status: 'RUNNING' } });
  const id = v7();
  const place = sealPlace('connections', { workspace_id: own.workspaceId, id });
  const { sealed, keyId } = createSealer(k1).seal(place, 'a token');
  const kind = { workflowAppId: 'http', connectionType: 'bearer', name: 'c' };
  await database.connection.create({
    data: { id, workspaceId: own.workspaceId, ...kind, credentials: sealed, keyId },
  });
}, STARTED_MS);
afterAll(async () => {
  await database?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function rows(url: string): Promise<Record<string, number>> {
  const tables = await onDatabase(
    url,
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables.rows) {
    counts[name] = Number((await onDatabase(url, `SELECT count(*) FROM ${name}`)).rows[0].count);
  }
  return counts;
}

test(
  'a backup goes into an empty database alone, whole, and with its keys',
  async () => {
    const saved = join(folder, 'saved');
    const made = await backup(saved);
    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(made.stdout)).toMatchObject({
      keys: ['k1'],
      temporalAt: null,
      files: [{ path: 'perdure.dump' }],
    });
    expect(readdirSync(saved).sort()).toEqual(['manifest.json', 'perdure.dump']);
    expect(statSync(saved).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(saved)) expect(statSync(join(saved, name)).mode & 0o777).toBe(0o600);
    const text = readFileSync(join(saved, 'manifest.json'), 'utf8');
    const { password } = new URL(server.url);
    for (const secret of [k1.slice(3), k2.slice(3), password]) expect(text).not.toContain(secret);

    expect(await backup(saved)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is not empty') });

    const target = await newDatabase();
    expect(await restore(target, saved, { ENCRYPTION_KEY: k2 })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('lacks the key "k1"'),
    });
    expect(await restore(target, saved, { ENCRYPTION_KEY: other })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('has another key under the key "k1"'),
    });
    expect(await restore(target, join(folder, 'nothing'))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('holds no whole backup'),
    });
    expect(await restore(source, saved)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is not empty'),
    });
    expect(await rows(target)).toEqual({});

    const restored = await restore(target, saved);
    expect(restored).toMatchObject({ exitCode: 0, stderr: '' });
    const { mayRepeat, report } = JSON.parse(restored.stdout);
    expect(mayRepeat.executionsGoOn).toMatchObject({ count: 1, first: [{ id: executionId }] });
    expect(readFileSync(report, 'utf8')).toContain(`"kind":"executionsGoOn","id":"${executionId}"`);
    expect(statSync(report).mode & 0o777).toBe(0o600);
    expect(await rows(target)).toEqual(await rows(source));
  },
  STARTED_MS,
);

test(
  'a backup that was changed, or is of another migration level, writes nothing',
  async () => {
    const saved = join(folder, 'changed');
    expect(await backup(saved)).toMatchObject({ exitCode: 0 });
    const file = join(saved, 'manifest.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    const target = await newDatabase();
    const migrations = [...manifest.migrations, { name: '29990101000000_later', checksum: 'c' }];
    writeFileSync(file, JSON.stringify({ ...manifest, migrations }));
    expect(await restore(target, saved)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/another migration level[\s\S]*29990101000000_later: this build does not know it/),
    });
    writeFileSync(file, JSON.stringify(manifest));
    appendFileSync(join(saved, 'perdure.dump'), 'x');
    expect(await restore(target, saved)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/damaged[\s\S]*perdure\.dump: \d+ bytes instead of/),
    });
    expect(await rows(target)).toEqual({});
  },
  STARTED_MS,
);

test(
  'a role that may not create an extension learns which one, and what to run',
  async () => {
    const saved = join(folder, 'extensions');
    expect(await backup(saved)).toMatchObject({ exitCode: 0 });
    const role = `owner_${randomBytes(6).toString('hex')}`;
    await onDatabase(server.url, `CREATE ROLE ${role} LOGIN PASSWORD 'p'`);
    const asSuperuser = await newDatabase();
    await onDatabase(server.url, `ALTER DATABASE ${new URL(asSuperuser).pathname.slice(1)} OWNER TO ${role}`);
    const target = Object.assign(new URL(asSuperuser), { username: role, password: 'p' }).href;

    const refused = await restore(target, saved);
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /The database of DATABASE_URL lacks the extension .*vector.*have a superuser run .*CREATE EXTENSION vector;/,
      ),
    });
    expect(await rows(target)).toEqual({});

    const [, statements = ''] = /have a superuser run (.*;) in it/.exec(refused.stderr) ?? [];
    await onDatabase(asSuperuser, statements);
    expect(await restore(target, saved)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await rows(target)).toEqual(await rows(source));
  },
  STARTED_MS,
);

test(
  'without the key that seals something there is no backup, and none without pg_dump',
  async () => {
    const keyless = await backup(join(folder, 'keyless'), { ENCRYPTION_KEY: k2 });
    expect(keyless).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('lacks the key "k1"') });
    const programless = await backup(join(folder, 'programless'), { PATH: '/nowhere' });
    expect(programless).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no pg_dump on the PATH') });
  },
  STARTED_MS,
);

test('a password is in the environment of the programs, never in their arguments', () => {
  const url = 'postgresql://ada:p%40ss%20word@db.example:5433/perdure?sslmode=require&uselibpqcompat=true';
  expect(connectionOf(url)).toEqual({
    argument: 'postgresql://ada@db.example:5433/perdure?sslmode=require',
    environment: { PGPASSWORD: 'p@ss word' },
  });
  expect(connectionOf('postgresql://ada@db.example/perdure')).toEqual({
    argument: 'postgresql://ada@db.example/perdure',
    environment: {},
  });
});
