import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { downloadTemporal, temporalArchive } from '../../embedded/temporalDownload.ts';

let folder: string;
let content: Buffer;
let server: Server;
let address: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'perdure-download-'));
  const release = join(folder, 'release');
  mkdirSync(release);
  writeFileSync(join(release, 'temporal'), '#!/bin/sh\necho here\n');
  execFileSync('tar', ['-czf', join(folder, 'release.tar.gz'), '-C', release, 'temporal']);
  content = readFileSync(join(folder, 'release.tar.gz'));
  server = createServer((request, response) => {
    response.statusCode = request.url === '/archive' ? 200 : 404;
    response.end(content);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/archive`;
});
afterEach(async () => {
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true });
});

function workshop(): string {
  const path = join(folder, 'workshop');
  mkdirSync(path);
  return path;
}

const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('the pinned file is unpacked, and runs', async () => {
  const into = workshop();
  await downloadTemporal({ address, sha256: sumOf(content) }, into);
  expect(execFileSync(join(into, 'temporal')).toString()).toBe('here\n');
});

test('an archive that is another one is refused, and nothing of it is left', async () => {
  const pinned = { address, sha256: sumOf(content) };
  content = Buffer.concat([content, Buffer.from([0])]);
  const into = workshop();
  await expect(downloadTemporal(pinned, into)).rejects.toThrow(
    `its SHA-256 is ${sumOf(content)}, expected ${pinned.sha256}`,
  );
  expect(readdirSync(into)).toEqual([]);
});

test('an invalid answer is an error', async () => {
  const into = workshop();
  await expect(downloadTemporal({ address: `${address}/no`, sha256: '' }, into)).rejects.toThrow('status 404');
  expect(existsSync(join(into, 'temporal'))).toBe(false);
});

test('each machine has its own archive and sum', () => {
  const all = ['linux', 'darwin'].flatMap((platform) =>
    ['x64', 'arm64'].map((arch) => temporalArchive(platform, arch)),
  );
  expect(new Set(all.map((each) => each?.address)).size).toBe(4);
  for (const each of all) expect(each?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(all.map((each) => each?.sha256)).size).toBe(4);
  expect(temporalArchive('sunos', 'sparc')).toBeUndefined();
});
