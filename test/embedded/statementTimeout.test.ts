// test: long, pglite
import { expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { readConfig } from '../../config.ts';
import { isDatabaseUnavailable } from '../../prisma/databaseErrors.ts';
import { createParts } from '../../process/parts.ts';
import { startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';

const TIMEOUT_MS = 3_000;

test('a statement of a process ends after DATABASE_STATEMENT_TIMEOUT_MS, at the server where it can', async () => {
  const own = await startMigratedDatabase();
  onTestFinished(() => own.dispose());
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  onTestFinished(() => connection.close());
  const config = {
    ...readConfig({
      TOKEN_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      DATABASE_URL: own.url,
      DATABASE_STATEMENT_TIMEOUT_MS: String(TIMEOUT_MS),
    }),
    DATABASE_URL: own.url,
  };
  const temporal = { client: new Client({ connection }), connection };
  const parts = await createParts({
    config,
    temporal: temporal as never,
    eagerStart: false,
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => parts.close());
  const began = performance.now();
  const slept = await parts.database.pool.query('SELECT pg_sleep(600)').catch((error) => error);
  expect(performance.now() - began).toBeGreaterThanOrEqual(TIMEOUT_MS);
  expect(isDatabaseUnavailable(slept)).toBe(true);
  // The embedded database cannot cancel a statement, so the process abandons it.
  expect(slept.code === '57014').toBe(Boolean(process.env.DATABASE_URL));
});
