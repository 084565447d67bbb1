// test: pglite
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from '../../prisma/migrate.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { type OwnDatabase, startDatabase } from '../setup/database/ownDatabase.ts';
import { readSchema, type Table } from './schemaModels.ts';

let database: OwnDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await startDatabase();
  await migrate(database.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.dispose();
});

/** Converts Postgres's text of a default to that of schema.prisma. */
function plainDefault(text: string | null): string | null {
  if (text === null) return null;
  if (text.startsWith('nextval(')) return 'autoincrement()';
  if (/^'\{\}'::\w+\[\]$/.test(text)) return '[]';
  const quoted = /^'(.*)'::(?:text|jsonb)$/.exec(text);
  return quoted ? JSON.stringify(quoted[1]) : text;
}

async function readTables(): Promise<Table[]> {
  const { rows: columns } = await client.query(`
    SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type,
      NOT a.attnotnull AS nullable,
      CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END AS "default"
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'
    ORDER BY c.relname COLLATE "C", a.attnum`);
  // schema.prisma cannot express partial indexes, indexes of expressions, and other kinds than btree.
  const { rows: indexes } = await client.query(`
    SELECT c.relname AS "table",
      CASE WHEN i.indisprimary THEN 'primary ' WHEN i.indisunique THEN 'unique ' ELSE 'index ' END ||
      (SELECT string_agg(trim('"' FROM pg_get_indexdef(i.indexrelid, k, false)) ||
          CASE WHEN (i.indoption::int2[])[k - 1] & 1 = 1 THEN ' DESC' ELSE '' END, ',' ORDER BY k)
        FROM generate_series(1, i.indnkeyatts) AS k) AS index
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree'
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'
      AND i.indpred IS NULL AND i.indexprs IS NULL`);
  const { rows: bonds } = await client.query(`
    SELECT c.conrelid::regclass::text AS "table",
      format('%s -> %s(%s) on delete %s',
        (SELECT string_agg(a.attname, ',' ORDER BY k.at) FROM unnest(c.conkey) WITH ORDINALITY AS k (num, at)
          JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.num),
        c.confrelid::regclass,
        (SELECT string_agg(a.attname, ',' ORDER BY k.at) FROM unnest(c.confkey) WITH ORDINALITY AS k (num, at)
          JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.num),
        CASE c.confdeltype WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null' WHEN 'r' THEN 'restrict' END) AS bond
    FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace`);
  const tables = new Map<string, Table>();
  for (const { table, column, type, nullable, default: text } of columns) {
    const found: Table = tables.get(table) ?? { name: table, columns: {}, indexes: [], bonds: [] };
    found.columns[column] = { type, nullable, default: plainDefault(text) };
    tables.set(table, found);
  }
  for (const { table, index } of indexes) tables.get(table)?.indexes.push(index);
  for (const { table, bond } of bonds) tables.get(table)?.bonds.push(bond);
  for (const table of tables.values()) {
    table.indexes.sort();
    table.bonds.sort();
  }
  return [...tables.values()];
}

test('the migrated database is the one of schema.prisma', async () => {
  const schema = readSchema(readFileSync(join(PROJECT_ROOT, 'prisma/schema.prisma'), 'utf8'));
  expect(schema.length).toBeGreaterThan(10);
  expect(schema.flatMap(({ bonds }) => bonds).length).toBeGreaterThan(20);
  expect(await readTables()).toEqual(schema);
});
