// test: long
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { layDatabase } from '../../embedded/databaseTemplate.ts';
import { startPglite } from '../../embedded/pglite.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-template-'));
  onTestFinished(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a migrated database is made once and copied, and templates that nobody uses go', async () => {
  const folder = temporary();
  const [unused, used] = ['migrated-of-long-ago', 'migrated-of-today'].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  for (const each of [unused, used]) mkdirSync(each);
  utimesSync(unused, new Date('2026-01-01'), new Date('2026-01-01'));
  const said: string[] = [];
  const options = { folder, kind: 'migrated', say: (line: string) => said.push(line) } as const;
  const homes = [temporary(), temporary()];
  await Promise.all(homes.map((home) => layDatabase(home, options)));
  expect(said.filter((line) => line.startsWith('preparing'))).toHaveLength(1);
  expect([existsSync(unused), existsSync(used)]).toEqual([false, true]);
  await layDatabase(temporary(), options);
  expect(said.filter((line) => line.startsWith('preparing'))).toHaveLength(1);
  const kinds = readdirSync(folder).map((name) => name.replace(/-[0-9a-f]{16}$/, ''));
  expect(kinds.sort()).toEqual(['empty', 'migrated', 'migrated-of-today']);

  const { url, child } = await startPglite({ dataDir: homes[1] as string, say: () => undefined });
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query(
      'SELECT (SELECT count(*) FROM workspaces) + (SELECT count(*) FROM executions) AS n',
    );
    expect(rows).toEqual([{ n: '0' }]);
  } finally {
    await client.end();
    await child.stop(10_000);
  }
});
