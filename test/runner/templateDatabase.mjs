import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { importSource } from './importSource.mjs';

async function onServer(url, sql) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/**
 * Creates a migrated database, which tests copy.
 * @param {string} url of the server
 * @returns {Promise<{ name: string, drop: () => Promise<void> }>}
 */
export async function createTemplate(url) {
  const name = `perdure_test_template_${randomBytes(6).toString('hex')}`;
  await onServer(url, `CREATE DATABASE ${name}`);
  const drop = () => onServer(url, `DROP DATABASE ${name} WITH (FORCE)`);
  const { migrate } = await importSource('prisma/migrate.ts');
  const own = new URL(url);
  own.pathname = `/${name}`;
  await migrate(own.href).catch((error) => drop().finally(() => Promise.reject(error)));
  return { name, drop };
}
