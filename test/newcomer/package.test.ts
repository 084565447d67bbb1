// test: long
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { startProduct } from '../setup/stack/startedProduct.ts';

// Installs the package alone into an empty folder. It is packed here, or in the fresh clone of .ci/run.

const SOURCE = process.env.NEWCOMER_FOLDER ?? PROJECT_ROOT;
const here = mkdtempSync(join(tmpdir(), 'perdure-package-'));
const folder = join(here, 'empty');
const dataDir = join(folder, '.perdure');
afterAll(() => rmSync(here, { recursive: true, force: true }));

/** Removes variables of this run's npm and jest, and those of Perdure. */
const OURS =
  /^(npm_(command|execpath|lifecycle_|node_|package_|config_local_prefix)|INIT_CWD$|NODE_|JEST_|PERDURE_|DATABASE_|TEMPORAL_)/;
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name))),
  ...{ XDG_CONFIG_HOME: join(here, 'config'), PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0' },
};

const run = promisify(execFile);
const perdure = (...words: string[]) => run('npx', ['perdure', ...words], { cwd: folder, env: environment });

// Code runs in a thread with its own WebAssembly file, expressions of a definition in another thread.
const GREET = `
name: Greet
trigger: { id: trigger, type: manual, config: { fields: [{ key: name, type: text, required: true }] } }
nodes:
  - id: hello
    type: action
    appId: code
    actionId: javascript
    inputs: { code: "return 'Hello ' + input.name", input: { name: "{{ upper(trigger.name) }}" } }
output: "{{ steps.hello.output }}"
`;

test('the package is packed, installed into an empty folder, started, and used', async () => {
  mkdirSync(folder);
  await run('npm', ['pack', '--pack-destination', here], { cwd: SOURCE, env: environment, maxBuffer: 50_000_000 });
  const [tarball = ''] = readdirSync(here).filter((name) => name.endsWith('.tgz'));
  expect(tarball).toMatch(/^perdure-\d+\.\d+\.\d+\.tgz$/);
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', join('..', tarball)];
  await run('npm', install, { cwd: folder, env: environment });
  const installed = join(folder, 'node_modules/perdure');
  // Contains neither sources nor files for the repository only.
  for (const absent of ['cli', 'test', 'dist/bench', 'prepare.mjs', 'prisma/schema.prisma']) {
    expect([absent, existsSync(join(installed, absent))]).toEqual([absent, false]);
  }

  const product = await startProduct({
    command: ['npx', 'perdure', 'start', '--example', 'order-summary'],
    ...{ folder, dataDir, environment },
  });
  expect(product.output()).toMatch(/Is it a large order\?\s+COMPLETED\s+\d+ ms/);
  expect((await fetch(`${product.credentials.url}/docs`)).status).toBe(200);
  mkdirSync(join(folder, 'workflows'));
  writeFileSync(join(folder, 'workflows/greet.yaml'), GREET);
  await perdure('apply', '--yes');
  const { stdout } = await perdure('run', 'greet', '--input', '{"name": "Ada"}', '--follow', '--jsonl');
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    status: 'COMPLETED',
    output: 'Hello ADA',
  });
  const stopped = await product.interrupt();
  expect(stopped.tookMs).toBeLessThan(10_000);
});
