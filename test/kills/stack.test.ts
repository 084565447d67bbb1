// test: pglite
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { poll } from '../setup/jest/poll.ts';
import { type Stack, startStack } from '../setup/stack/ownStack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
});
afterAll(async () => {
  await stack?.dispose();
});

async function ready(): Promise<Record<string, boolean>> {
  const answer = await fetch(`${stack.url}/readyz`).catch(() => undefined);
  return answer ? ((await answer.json()) as Record<string, boolean>) : {};
}

const ALL = { ready: true, database: true, engine: true, worker: true };

async function projects(): Promise<unknown> {
  const answer = await fetch(`${stack.url}/api/projects`, { headers: { 'x-api-key': stack.credentials.apiKey } });
  return answer.json();
}

test('database and Temporal server restart automatically', async () => {
  await poll(ready, { timeout: 20_000 }).toMatchObject(ALL);
  const before = await stack.pids();
  await stack.killDatabase();
  await stack.killTemporal();
  // Readiness is checked once a second, so the previous state may be returned first.
  await poll(async () => (await stack.pids()).temporal !== before.temporal).toBe(true);
  await poll(projects).toHaveLength(1);
  await poll(ready, { timeout: 30_000 }).toMatchObject(ALL);
  const after = await stack.pids();
  expect(after.main).toBe(before.main);
  if (before.database !== undefined) expect(after.database).not.toBe(before.database);
  expect(after.temporal).not.toBe(before.temporal);
});

test('kill -9 of the main process ends its children; on the same data and ports all is there again', async () => {
  await poll(projects).toHaveLength(1);
  const before = await projects();
  const { url, temporalAddress, credentials } = stack;
  await stack.killMain();
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  await stack.startAgain();
  expect({ url: stack.url, temporalAddress: stack.temporalAddress }).toEqual({ url, temporalAddress });
  expect(stack.credentials).toEqual(credentials);
  expect(await projects()).toEqual(before);
});

test('a second start on the same data is refused, with the way out', async () => {
  const [code, output] = await new Promise<[unknown, string]>((done) => {
    const environment = { ...process.env, PERDURE_DATA_DIR: stack.dataDir, PORT: '0' };
    execFile(process.execPath, [join(PROJECT_ROOT, 'dist/embedded/main.js')], { env: environment }, (error, stdout) =>
      done([error?.code, stdout]),
    );
  });
  expect(code).toBe(1);
  expect(output).toContain('Another Perdure runs');
  expect(output).toContain('PERDURE_DATA_DIR');
});

test('a taken port is an error with a remedy', async () => {
  await expect(startStack({ port: new URL(stack.url).port })).rejects.toThrow(
    /Port \d+ is taken\. Set PORT to a free port/,
  );
});

test('SIGTERM ends everything within 10 s, with exit code 0, and the logs contain no secret', async () => {
  const { credentials, dataDir } = stack;
  const pids = await stack.pids();
  const { exitCode, tookMs } = await stack.stop();
  expect(exitCode).toBe(0);
  expect(tookMs).toBeLessThan(10_000);
  for (const pid of Object.values(pids)) if (pid !== undefined) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  const log = await readFile(join(dataDir, 'logs/perdure.log'), 'utf8');
  expect(log).not.toContain(credentials.apiKey);
  expect(log).not.toContain(credentials.password);
});
