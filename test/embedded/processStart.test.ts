// test: long
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../prisma/migrate.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { type OwnDatabase, startDatabase } from '../setup/database/ownDatabase.ts';

let database: OwnDatabase;
/** Nothing listens at this address. */
const nowhere = '127.0.0.1:1';

beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database?.dispose());

async function failedStart(name: 'api' | 'worker', environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'dist', name, 'main.js')], {
    env: { PATH: process.env.PATH ?? '', TEMPORAL_ADDRESS: nowhere, DATABASE_URL: database.url, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { exitCode, stderr, lines: lines.map((line) => JSON.parse(line) as { level: number; msg: string }) };
}

const says = (name: string, why: string) => ({
  exitCode: 1,
  stderr: '',
  lines: [expect.objectContaining({ level: 60, name, msg: `the process does not start: ${why}` })],
});

test.each(['api', 'worker'] as const)(
  '%s: a start that fails ends with one line of the log, which says why',
  async (name) => {
    expect(await failedStart(name, { PORT: 'http' })).toEqual(
      says(name, 'The environment is not valid:\n  PORT: Invalid input: expected number, received NaN'),
    );
    const refused = await failedStart(name, { HOST: '0.0.0.0' });
    expect([refused.exitCode, refused.lines.length]).toEqual([1, 1]);
    expect(refused.lines[0]?.msg).toMatch(
      /^the process does not start: The environment is not valid:\n {2}PUBLIC_URL: required if HOST \(0\.0\.0\.0\)/,
    );
    expect(await failedStart(name, { DATABASE_URL: `postgresql://perdure@${nowhere}/perdure` })).toEqual(
      says(name, 'the database of DATABASE_URL does not answer, or refuses the connection'),
    );
  },
);

test('no process starts on a database without its migrations', async () => {
  expect(await failedStart('api', {})).toEqual(
    says('api', 'the database lacks 20261121000000_foundation: run `npm run migrate` first'),
  );
  await migrate(database.url);
  expect(await failedStart('api', {})).toEqual(
    says('api', `the Temporal server at ${nowhere} (TEMPORAL_ADDRESS) was not reached`),
  );
});
