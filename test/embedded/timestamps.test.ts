import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { instantOf, isTimestamp } from '../../domain/instant.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';

let own: MigratedDatabase;
beforeAll(async () => {
  own = await startMigratedDatabase();
});
afterAll(() => own?.dispose());

test('the database takes every text that is a timestamp, as the same moment', async () => {
  const like = fc.stringMatching(
    /^(000[0-2]|20\d\d|9999)-[01]\d-[0-3]\d[Tt][0-2]\d:[0-6]\d(:[0-6]\d(\.\d{1,6})?)?([Zz]|[+-][0-2]\d:[0-6]\d)$/,
  );
  const texts = fc.sample(like, 20_000).filter(isTimestamp);
  expect(texts.length).toBeGreaterThan(1_000);
  const { rows } = await own.database.pool.query<{ text: string; ms: number }>(
    `SELECT t AS text, floor(extract(epoch FROM t::timestamptz) * 1000)::float8 AS ms FROM unnest($1::text[]) t`,
    [texts],
  );
  expect(rows.filter(({ text, ms }) => instantOf(text.toUpperCase())?.getTime() !== ms)).toEqual([]);
});
