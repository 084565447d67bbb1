import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { onTestFinished } from '../jest/onTestFinished.ts';

/**
 * Makes the database reject one kind of write until `release`, unless `allows`, an expression over NEW, is true. The
 * error is that of an unavailable database, so writers retry.
 */
export async function refusing(databaseUrl: string, how: { before: string; when: string }, allows = 'false') {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const name = `hold_${randomUUID().replaceAll('-', '')}`;
  const allow = (what: string) =>
    client.query(`
      CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT (${what}) THEN RAISE EXCEPTION 'held' USING ERRCODE = '57P03'; END IF;
        RETURN NEW;
      END $$`);
  await allow(allows);
  await client.query(`
    CREATE TRIGGER ${name} BEFORE ${how.before} FOR EACH ROW WHEN (${how.when}) EXECUTE FUNCTION ${name}()`);
  const release = () => client.query(`DROP FUNCTION IF EXISTS ${name} CASCADE`);
  onTestFinished(async () => {
    await release();
    await client.end();
  });
  return { client, allow, release };
}
