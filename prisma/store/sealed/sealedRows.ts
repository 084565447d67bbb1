import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';
import { SEALED_TABLES, type SealedRowId, type SealedTable, type SealedTableName } from './sealedTables.ts';

export interface SealedRow {
  row: SealedRowId;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
}

/** Lists rows sealed with another key by id, after `after`; over all workspaces, for the operator. */
export async function rowsOfOtherKeys(
  database: Database,
  name: SealedTableName,
  keyId: string,
  after: SealedRowId | undefined,
  limit: number,
): Promise<SealedRow[]> {
  const { column, row }: SealedTable = SEALED_TABLES[name];
  const ids = Object.keys(row);
  const sorted = Prisma.raw(ids.join(', '));
  const given = after as Readonly<Record<string, string>> | undefined;
  const beyond = given
    ? Prisma.sql`AND (${sorted}) > (${Prisma.join(ids.map((id) => value(row, id, Prisma.sql`${given[id]}`)))})`
    : Prisma.empty;
  return rowsOf<SealedRow>(
    database,
    Prisma.sql`SELECT ${shown({ column, row })} FROM ${Prisma.raw(name)} WHERE key_id <> ${keyId} ${beyond} ORDER BY ${sorted} LIMIT ${limit}::int`,
  );
}

/** Returns the first and the last row, by id, that each key has sealed; over all workspaces, for the operator. */
export async function samplesOfKeys(database: Database, name: SealedTableName): Promise<SealedRow[]> {
  const table: SealedTable = SEALED_TABLES[name];
  const ids = Object.keys(table.row);
  const end = (direction: string) => Prisma.sql`(
    SELECT DISTINCT ON (key_id) ${shown(table)} FROM ${Prisma.raw(name)} WHERE key_id IS NOT NULL
    ORDER BY key_id, ${Prisma.raw(ids.map((id) => `${id} ${direction}`).join(', '))})`;
  return rowsOf<SealedRow>(database, Prisma.sql`${end('ASC')} UNION ALL ${end('DESC')}`);
}

function shown({ column, row }: SealedTable): Prisma.Sql {
  const ids = Object.entries(row).map(
    ([id, type]) => `'${id}', ${type === 'bytea' ? `encode(${id}, 'hex')` : `${id}::text`}`,
  );
  return Prisma.raw(`json_build_object(${ids.join(', ')}) AS row, ${column} AS sealed, key_id AS "keyId"`);
}

/** Replaces read values with their resealed ones, if they have not changed. Returns the number of written rows. */
export async function replaceSealed(
  database: Database,
  name: SealedTableName,
  rows: readonly (SealedRow & { resealed: Uint8Array })[],
  keyId: string,
): Promise<number> {
  const { column, row }: SealedTable = SEALED_TABLES[name];
  const ids = Object.keys(row);
  const given = rows.map(({ row: id, sealed, resealed }) => ({
    ...id,
    was: base64(sealed),
    resealed: base64(resealed),
  }));
  const types = Object.fromEntries([...ids, 'was', 'resealed'].map((member) => [member, 'text' as const]));
  const same = ids.map((id) => Prisma.sql`t.${Prisma.raw(id)} = ${value(row, id, Prisma.raw(`r."${id}"`))}`);
  const [target, sealed] = [Prisma.raw(name), Prisma.raw(column)];
  return database.$executeRaw(Prisma.sql`
    UPDATE ${target} t SET ${sealed} = decode(r.resealed, 'base64'), key_id = ${keyId}
    FROM ${recordset(given, types)}
    WHERE ${Prisma.join(same, ' AND ')} AND t.${sealed} = decode(r.was, 'base64')`);
}

export async function countByKey(database: Database, name: SealedTableName): Promise<Record<string, number>> {
  const rows = await rowsOf<{ keyId: string; count: number }>(
    database,
    Prisma.sql`SELECT key_id AS "keyId", count(*)::int AS count FROM ${Prisma.raw(name)}
      WHERE key_id IS NOT NULL GROUP BY key_id ORDER BY key_id`,
  );
  return Object.fromEntries(rows.map(({ keyId, count }) => [keyId, count]));
}

function value(row: SealedTable['row'], id: string, text: Prisma.Sql): Prisma.Sql {
  return row[id] === 'bytea'
    ? Prisma.sql`decode(${text}, 'hex')`
    : Prisma.sql`${text}::${Prisma.raw(row[id] as string)}`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
