import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { addressOf, provideSocketFolder, socketFile, socketUrl } from '../../embedded/databaseSocket.ts';
import { startPglite } from '../../embedded/pglite.ts';
import { createDatabase } from '../../prisma/client.ts';
import { isDatabaseUnavailable } from '../../prisma/databaseErrors.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import { rowsOf } from '../../prisma/rowsOf.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'perdure-socket-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;
/** Longer than the path of a socket may be. */
const deep = () => join(base, 'd'.repeat(60), 'e'.repeat(60));

test('the folder is the data folder’s own, and closed to others also where it was open', async () => {
  mkdirSync(join(base, 'socket'), { mode: 0o755 });
  chmodSync(join(base, 'socket'), 0o755);
  const folder = await provideSocketFolder(base);
  expect(folder).toBe(join(base, 'socket'));
  expect(modeOf(folder)).toBe(0o700);
});

test('for data in too deep a folder it is a private one under the temporary folder, always the same', async () => {
  const folder = await provideSocketFolder(deep(), base);
  expect(folder.startsWith(join(base, 'perdure-'))).toBe(true);
  expect(modeOf(folder)).toBe(0o700);
  expect(await provideSocketFolder(deep(), base)).toBe(folder);
  await expect(provideSocketFolder(deep(), join(base, 'x'.repeat(90)))).rejects.toThrow(
    'set TMPDIR to a shorter folder',
  );
});

test('a foreign file in its place is not used', async () => {
  const folder = await provideSocketFolder(deep(), base);
  chmodSync(folder, 0o777);
  const other = await provideSocketFolder(deep(), base);
  expect(other).not.toBe(folder);
  expect(modeOf(other)).toBe(0o700);
  rmSync(folder, { recursive: true });
  symlinkSync(other, folder);
  const third = await provideSocketFolder(deep(), base);
  expect([folder, other]).not.toContain(third);
});

test('a database listens there and nowhere else; one that was killed leaves nothing in the way', async () => {
  // Simulates a killed process: a socket file without a listener.
  const file = socketFile(await provideSocketFolder(base));
  const script = 'require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))';
  spawnSync(process.execPath, ['-e', script, file]);
  expect(existsSync(file)).toBe(true);
  const { url, child } = await startPglite({ dataDir: base, say: () => undefined });
  expect(addressOf(url)).toEqual({ path: file });
  const database = createDatabase(url, 1);
  expect(await rowsOf(database, Prisma.sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  await database.close();
  await child.stop(5_000);
  expect(existsSync(file)).toBe(false);
}, 120_000);

test('while its socket is not there the database counts as away, both ways', async () => {
  const database = createDatabase(socketUrl(base), 1);
  const statement = Prisma.sql`SELECT 1`;
  const failed = await Promise.allSettled([
    rowsOf(database, statement),
    database.$queryRaw(statement),
    database.user.count(),
  ]);
  await database.close();
  expect(failed.map((each) => each.status === 'rejected' && isDatabaseUnavailable(each.reason))).toEqual([
    true,
    true,
    true,
  ]);
});
