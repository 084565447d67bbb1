// test: long
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { poll } from '../setup/jest/poll.ts';
import { startProduct } from '../setup/stack/startedProduct.ts';

// Follows the README in NEWCOMER_FOLDER, a fresh clone without node_modules in .ci/run; default: this folder. Data are
// new.

const FOLDER = process.env.NEWCOMER_FOLDER ?? PROJECT_ROOT;
const dataDir = mkdtempSync(join(tmpdir(), 'perdure-newcomer-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const environment = {
  ...process.env,
  // The API's default port, or the next free one.
  ...{ PORT: '', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0' },
  ...{ PERDURE_DATA_DIR: dataDir, DATABASE_URL: '', TEMPORAL_ADDRESS: '' },
};

const npmStart = (more: NodeJS.ProcessEnv = {}) =>
  startProduct({ command: ['npm', 'start'], folder: FOLDER, dataDir, environment: { ...environment, ...more } });

/** Paths that other users could open if the folder were readable. PGlite sets the modes of its own files. */
function openToOthers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('postgres'))
    .map((name) => join(folder, name))
    .filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
}

function shell(line: string): unknown {
  return JSON.parse(execFileSync('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
}

/** Each has two or three lines. */
function printedCurls(output: string): string[] {
  const text = output.replaceAll(/^perdure +/gm, '').replaceAll('\\\n', ' ');
  return text.split('\n').filter((line) => line.startsWith('curl '));
}

/** Sends this Host, which fetch cannot. */
async function statusBy(host: string, url: string): Promise<number | undefined> {
  const [answer] = (await once(get(url, { headers: { host } }), 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

async function status(url: string): Promise<number> {
  return (await fetch(url)).status;
}

test('two starts: a question of the first is approved at the second', async () => {
  chmodSync(dataDir, 0o755);
  const taken = createServer().listen(3000, '127.0.0.1');
  await Promise.race([once(taken, 'listening'), once(taken, 'error')]);
  const first = await npmStart();
  const { credentials } = first;
  expect(new URL(credentials.url).port).not.toBe('3000');
  taken.close();
  expect([statSync(dataDir).mode & 0o777, openToOthers(dataDir)]).toEqual([0o700, []]);
  expect(Object.keys(credentials)).toEqual([
    ...['url', 'temporalUiUrl', 'apiKey', 'email', 'password', 'workspaceId', 'projectId'],
  ]);
  expect(credentials.email).toBe('admin@perdure.local');
  expect(first.output()).toContain(credentials.apiKey);
  expect(first.output()).not.toContain('The examples failed');
  expect(first.output()).not.toContain('MaxListenersExceededWarning');
  expect(first.output()).toMatch(/Is it a large order\?\s+COMPLETED\s+\d+ ms/);

  expect(await status(`${credentials.url}/healthz`)).toBe(200);
  expect(await status(`${credentials.url}/readyz`)).toBe(200);
  expect(await status(`${credentials.url}/docs`)).toBe(200);
  expect(await status(credentials.temporalUiUrl ?? '')).toBe(200);
  // A page of a stranger whose name resolves to 127.0.0.1.
  expect(await statusBy('evil.example:8233', credentials.temporalUiUrl ?? '')).toBe(421);
  const login = await fetch(`${credentials.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: credentials.email, password: credentials.password }),
  });
  expect(login.ok).toBe(true);

  // The printed link logs its owner in once.
  const token = /console\/verify-token\?token=(\S+) logs you in, once/.exec(first.output())?.[1];
  const byLink = () =>
    fetch(`${credentials.url}/api/auth/login-with-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
  expect((await (await byLink()).json()) as object).toMatchObject({ access_token: expect.any(String) });
  expect((await byLink()).status).toBe(401);

  // A second command while Perdure runs.
  const beside = spawn('npm', ['start', '--', '--example', 'order-desk'], { cwd: FOLDER, env: environment });
  let said = '';
  for (const stream of [beside.stdout, beside.stderr]) stream.on('data', (text: Buffer) => (said += text));
  expect(await once(beside, 'exit')).toEqual([0, null]);
  expect(said).toContain(`Perdure is already running at ${credentials.url}`);
  expect(said).not.toContain('failed');

  const stopped = await first.interrupt();
  expect(stopped).toMatchObject({ exitCode: 0 });
  expect(stopped.tookMs).toBeLessThan(10_000);

  const second = await npmStart({ METRICS_PORT: '0', POSTGRES_PORT: '' });
  // The database has a Unix socket, and metrics are off.
  const { url, temporalUiUrl } = second.credentials;
  const [api, ui] = [url, temporalUiUrl ?? ''].map((each) => Number(new URL(each).port)) as [number, number];
  expect(second.listening()).toEqual([api, ui].sort((a, b) => a - b));
  expect(second.credentials).toMatchObject({ apiKey: credentials.apiKey, password: credentials.password });
  expect(second.output()).toContain('still waits for a person');
  expect(second.output()).not.toContain(`password ${credentials.password}`);
  // Its output is a file, not a terminal.
  expect(second.output()).not.toContain('verify-token');
  const [submit = '', read = ''] = printedCurls(second.output());
  expect(shell(submit)).toMatchObject({ nodeId: 'approval', accepted: true });
  await poll(() => shell(read)).toMatchObject({
    status: 'COMPLETED',
    output: { result: 'delivered' },
  });
  expect(await second.interrupt()).toMatchObject({ exitCode: 0 });
});
