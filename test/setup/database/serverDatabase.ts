import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TemplateKind } from '../../../embedded/databaseTemplate.ts';

/** A migrated database on the server of DATABASE_URL, created by test/runner/templateDatabase.mjs. */
const { PERDURE_TEST_TEMPLATE } = process.env;

export async function onServer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  // A broken connection fails the query; its `error` event would also end the test.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Creates a database. A migrated one is a copy, because applying the migrations costs more than most tests. */
export async function createDatabaseOn(server: string, kind: TemplateKind): Promise<{ url: string; name: string }> {
  const name = `perdure_test_${randomBytes(6).toString('hex')}`;
  const from = kind === 'migrated' && PERDURE_TEST_TEMPLATE ? ` TEMPLATE ${PERDURE_TEST_TEMPLATE}` : '';
  await onServer(server, `CREATE DATABASE ${name}${from}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, name };
}
