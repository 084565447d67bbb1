// test: long, pglite
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Check, diagnose } from '../../api/admin/doctor.ts';
import { readConfig } from '../../config.ts';
import { replayHistories } from '../../engine/temporal/replayHistories.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { startDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { poll } from '../setup/jest/poll.ts';
import { inject } from '../setup/stack/inject.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain, manual } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

/** Each command is a process of its own, which loads the product. */
const COMMAND_MS = 180_000;
const SOON = { timeout: 30_000 };
const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

function admin(args: readonly string[], environment: Record<string, string> = {}) {
  const main = join(PROJECT_ROOT, 'dist/api/admin/main.js');
  const env = { ...process.env, DATABASE_URL: '', PERDURE_DATA_DIR: inject('stack').dataDir, ...environment };
  return new Promise<{ exitCode: number; answer: { ok: boolean; checks: Check[] }; stderr: string }>((resolve) => {
    execFile(process.execPath, [main, ...args], { env }, (error, stdout, stderr) =>
      resolve({
        exitCode: typeof error?.code === 'number' ? error.code : 0,
        answer: stdout === '' ? undefined : JSON.parse(stdout),
        stderr,
      }),
    );
  });
}

const wrong = (checks: readonly Check[]) => checks.filter(({ ok }) => !ok).map(({ check }) => check);

test(
  'a deployment that runs is well, part by part',
  async () => {
    const { answer, exitCode, stderr } = await admin(['doctor']);
    const names = [
      'settings',
      'database',
      'clock',
      'migrations',
      'keys',
      'reconciler',
      'engine',
      'workers',
      'search attributes',
    ];
    expect({ checks: answer?.checks.map(({ check }) => check), stderr }).toEqual({
      checks: [...names, 'dynamic configuration', 'retention'],
      stderr: '',
    });
    // The delay of timers depends on the load, and parallel tests use the invalid key "k".
    const isOfOthers = ({ check, found }: Check) =>
      check === 'dynamic configuration' ||
      (check === 'keys' && found.split('; ').every((each) => / key "k": /.test(each)));
    expect(wrong(answer.checks.filter((check) => !isOfOthers(check)))).toEqual([]);
    expect(exitCode).toBe(answer.ok ? 0 : 1);
  },
  COMMAND_MS,
);

test(
  'reports a task queue without workers',
  async () => {
    const { answer, exitCode } = await admin(['doctor'], { TEMPORAL_TASK_QUEUE: 'nobody' });
    expect(wrong(answer.checks)).toContain('workers');
    expect(answer.checks.find(({ check }) => check === 'workers')?.advice).toContain('npm run worker');
    expect(exitCode).toBe(1);
  },
  COMMAND_MS,
);

test(
  'an environment that is not valid is named by its setting',
  async () => {
    const { answer, exitCode } = await admin(['doctor'], { DATABASE_POOL_SIZE: 'many' });
    expect(answer.checks).toEqual([expect.objectContaining({ check: 'settings', ok: false })]);
    expect(answer.checks[0]?.found).toContain('DATABASE_POOL_SIZE');
    expect(exitCode).toBe(1);
  },
  COMMAND_MS,
);

test(
  'reports an unreachable engine and a key that opens nothing, and ends',
  async () => {
    const { databaseUrl } = inject('stack');
    const home = await makeHome();
    const secret = { name: 'sealed', value: 'x', isSecret: true };
    expect((await home.api('POST', '/api/variables', { body: secret })).status).toBe(201);
    const away = { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: KEY, TEMPORAL_ADDRESS: '127.0.0.1:1' };
    const { answer, exitCode } = await admin(['doctor'], away);
    expect(wrong(answer.checks)).toEqual(['keys', 'engine']);
    expect(answer.checks.find(({ check }) => check === 'keys')?.found).toMatch(/^[a-z_]+, key "\w+": /);
    expect(exitCode).toBe(1);
  },
  COMMAND_MS,
);

const config = readConfig({ TOKEN_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: KEY });
const noEngine = () => Promise.reject(new Error('the Temporal server at nowhere was not reached'));

test('a database without tables, and an engine that is away', async () => {
  const empty = await startDatabase();
  try {
    const { checks } = await diagnose({ config, databaseUrl: empty.url, encryptionKey: KEY, connect: noEngine });
    expect(wrong(checks)).toEqual(['migrations', 'engine']);
    expect(checks.find(({ check }) => check === 'migrations')?.advice).toContain('npm run migrate');
  } finally {
    await empty.dispose();
  }
});

test('reports the build of the database: accepts a newer one, but none that was changed or is incomplete', async () => {
  const own = await startMigratedDatabase(1);
  const looked = async (sql: string) => {
    await own.database.pool.query(sql);
    const { checks } = await diagnose({ config, databaseUrl: own.url, encryptionKey: KEY, connect: noEngine });
    return checks.find(({ check }) => check === 'migrations');
  };
  try {
    const newer = await looked(`INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name)
      VALUES ('n', 'c', now(), '20990101000000_later')`);
    expect(newer).toEqual({
      check: 'migrations',
      ok: true,
      found: 'all are applied, and of a newer version: 20990101000000_later',
    });
    const half = await looked(`UPDATE _prisma_migrations SET finished_at = NULL WHERE id = 'n'`);
    expect(half).toMatchObject({ ok: false, found: expect.stringMatching(/20990101000000_later failed half way/) });
    const changed = await looked(`DELETE FROM _prisma_migrations WHERE id = 'n';
      UPDATE _prisma_migrations SET checksum = 'another'`);
    expect(changed).toMatchObject({
      ok: false,
      found: expect.stringMatching(/with another version of \w+_foundation/),
    });
    for (const check of [half, changed]) expect(check?.advice).toMatch(/./);
  } finally {
    await own.dispose();
  }
});

test(
  'a command on a database without tables, or on none, says what to do',
  async () => {
    const create = ['workspace', 'create', '--name', 'w', '--email', 'w@example.com'];
    const empty = await startDatabase();
    try {
      const unmigrated = await admin(create, { DATABASE_URL: empty.url });
      expect(unmigrated).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/lacks .*`npm run migrate` first/),
      });
    } finally {
      await empty.dispose();
    }
    const away = await admin(create, { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing' });
    expect(away).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^the database does not answer, .*127\.0\.0\.1:1\. Check that Postgres runs/),
    });
  },
  COMMAND_MS,
);

test('a database that is away, and a broken key', async () => {
  const databaseUrl = 'postgresql://nobody@127.0.0.1:1/nothing';
  const { ok, checks } = await diagnose({ config, databaseUrl, encryptionKey: 'k1:short', connect: noEngine });
  expect(ok).toBe(false);
  expect(wrong(checks)).toEqual(['settings', 'database', 'engine']);
  for (const { advice } of checks) expect(advice).toBeTruthy();
});

test(
  'histories of this build replay on it, at most as many as asked for',
  async () => {
    const home = await makeHome();
    await home.run({
      trigger: manual(),
      nodes: [action('a', 'testing.wait', { ms: 1 })],
      edges: chain('trigger', 'a'),
    });
    const { answer, exitCode, stderr } = await admin(['replay', '--limit', '5']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(answer).toMatchObject({ broken: [] });
    expect((answer as unknown as { replayed: number }).replayed).toBeGreaterThan(0);
    expect((answer as unknown as { replayed: number }).replayed).toBeLessThanOrEqual(5);
  },
  COMMAND_MS,
);

test(
  'histories that a build cannot replay are named',
  async () => {
    const home = await makeHome();
    const graph = { trigger: manual(), nodes: [action('a', 'testing.wait', { ms: 1 })], edges: chain('trigger', 'a') };
    const executionId = await home.execute(await home.deploy(graph));
    await home.ended(executionId);
    const folder = await mkdtemp(join(tmpdir(), 'perdure-build-'));
    try {
      const bundle = join(folder, 'bundle.js');
      // A build whose activities have other names.
      const ours = await readFile(join(PROJECT_ROOT, 'dist/workflow-bundle.js'), 'utf8');
      await writeFile(bundle, ours.replaceAll('runRegion', 'runOther').replaceAll('runAction', 'runElse'));
      const client = await stackTemporal();
      const listed = async () => {
        const { broken } = await replayHistories(client, 'perdure', 100, bundle);
        return broken.find(({ workflowId }) => workflowId === executionId);
      };
      // The engine updates its list shortly after its histories.
      await poll(listed, SOON).toMatchObject({ type: 'runExecution', message: expect.stringMatching(/./) });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  COMMAND_MS,
);
