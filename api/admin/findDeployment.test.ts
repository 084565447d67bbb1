import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from '../../config.ts';
import { AdminProblem } from './adminArguments.ts';
import { findDeployment } from './findDeployment.ts';

const DATABASE_URL = 'postgresql://postgres@db.example/perdure';
let dataDir: string;
let running: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'perdure-admin-'));
  running = join(dataDir, 'running.json');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function find(environment: Record<string, string> = {}) {
  return findDeployment(readConfig({ PERDURE_DATA_DIR: dataDir, ...environment }));
}

function isRunning(pid: number): void {
  const addresses = { url: 'http://127.0.0.1:4000', databaseUrl: 'postgresql://embedded', temporalUiUrl: null };
  writeFileSync(running, JSON.stringify({ pid, temporalAddress: '127.0.0.1:7233', ...addresses }));
}

test('ignores the running.json of an `npm start` if DATABASE_URL is set', async () => {
  // Nobody can open this file, not even root.
  mkdirSync(running);
  const found = (url: string) => ({ databaseUrl: DATABASE_URL, deployment: { url, temporalUiUrl: null } });
  expect(await find({ DATABASE_URL, PORT: '3100' })).toEqual(found('http://127.0.0.1:3100'));
  const PUBLIC_URL = 'https://perdure.example';
  expect(await find({ DATABASE_URL, PUBLIC_URL })).toEqual(found(PUBLIC_URL));
  await expect(find()).rejects.toThrow('EISDIR');
});

test('without it, finds a running `npm start` but not an ended one', async () => {
  isRunning(process.pid);
  expect(await find()).toMatchObject({
    databaseUrl: 'postgresql://embedded',
    deployment: { url: 'http://127.0.0.1:4000' },
  });
  expect((await find()).encryptionKey).toBeUndefined();
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify({ TOKEN_SECRET: 't', ENCRYPTION_KEY: 'first:kept' }));
  expect((await find()).encryptionKey).toBe('first:kept');
  expect((await find({ ENCRYPTION_KEY: 'second:set' })).encryptionKey).toBe('second:set');
  // Above the kernel's limit of process numbers.
  isRunning(2 ** 22 + 1);
  await expect(find()).rejects.toThrow(AdminProblem);
});
