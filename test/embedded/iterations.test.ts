// test: pglite
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { recordedIterations } from '../../activities/execution/loopNode.ts';
import { readConfig } from '../../config.ts';
import type { Database } from '../../prisma/client.ts';
import { type IterationRange, readIterations } from '../../prisma/store/execution/iterations.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';

const PLENTY = 1_000_000;
const OUTPUT = { list: [1, 2], text: 'ä' };
/** In Postgres' format: with spaces, in UTF-8. */
const OUTPUT_BYTES = Buffer.byteLength('{"list": [1, 2], "text": "ä"}');

let own: MigratedDatabase;
let database: Database;

beforeAll(async () => {
  own = await startMigratedDatabase();
  ({ database } = own);
});
afterAll(() => own?.dispose());

async function loopOf(count: number, output: unknown): Promise<IterationRange> {
  const range = { ...(await insertOwnExecution(database)), loopKey: 'each', to: count };
  await database.$executeRaw`
    INSERT INTO execution_iterations (execution_id, loop_key, index, workspace_id, status, output)
    SELECT ${range.executionId}::uuid, ${range.loopKey}, index, ${range.workspaceId}::uuid, 'COMPLETED',
      ${JSON.stringify(output)}::jsonb
    FROM generate_series(0, ${count}::int - 1) AS index`;
  return range;
}

test('iterations are read in order, up to the limit of their sizes together', async () => {
  const range = await loopOf(3, OUTPUT);
  const ended = (index: number) => ({ index, status: 'COMPLETED', output: OUTPUT, error: null });
  expect(await readIterations(database, range, 3 * OUTPUT_BYTES)).toEqual([0, 1, 2].map(ended));
  expect(await readIterations(database, { ...range, from: 1, to: 2 }, OUTPUT_BYTES)).toEqual([ended(1)]);
  expect(await readIterations(database, { ...range, workspaceId: v7() }, PLENTY)).toEqual([]);
  expect(await readIterations(database, { ...range, to: 0 }, PLENTY)).toEqual([]);
});

test('above the limit, only their size is read', async () => {
  const range = await loopOf(3, OUTPUT);
  expect(await readIterations(database, range, 3 * OUTPUT_BYTES - 1)).toEqual({ bytes: 3 * OUTPUT_BYTES });
  await database.$executeRaw`
    UPDATE execution_iterations SET status = 'FAILED', output = NULL, error = '{"code": "X", "message": "long"}'
    WHERE execution_id = ${range.executionId}::uuid`;
  expect(await readIterations(database, range, 1)).toEqual({ bytes: 3 * '{"code": "X", "message": "long"}'.length });
});

test('200 MB of outputs, which the database keeps compressed, fail their loop and take none of the memory', async () => {
  const config = readConfig({ DATABASE_URL: own.url, MAX_OUTPUT_BYTES: '10000000' });
  const range = await loopOf(200, 'x'.repeat(1_000_000));
  const before = process.memoryUsage().rss;
  expect(await recordedIterations({ config, database }, range)).toEqual({
    failure: {
      code: 'OUTPUT_TOO_LARGE',
      message: 'The output has 200000400 bytes; at most 10000000 are allowed (MAX_OUTPUT_BYTES)',
      retryable: false,
    },
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
});
