import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Node[];
}

export interface Reading {
  /** Rows scanned, including those that were filtered out. */
  rows: number;
  blocks: number;
  indexes: Set<string>;
  wholeTables: string[];
}

/** Measures the rows that a store function's only statement reads, by EXPLAIN. `$queryRaw` returns no rows. */
export async function reading(database: Database, run: (explained: Database) => Promise<unknown>): Promise<Reading> {
  let plan: Node | undefined;
  const explain = 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON)';
  const $queryRaw = async (statement: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
    const sql = statement instanceof Prisma.Sql ? statement : Prisma.sql(statement as unknown as string[], ...values);
    const [row] = await database.$queryRaw<Record<string, [{ Plan: Node }]>[]>(
      Prisma.sql`${Prisma.raw(explain)} ${sql}`,
    );
    plan = row?.['QUERY PLAN']?.[0].Plan;
    return [];
  };
  const query = async (text: string, values: unknown[]) => {
    const { rows } = await database.pool.query(`${explain} ${text}`, values);
    plan = rows[0]['QUERY PLAN'][0].Plan;
    return database.pool.query(text, values);
  };
  await run({ ...database, $queryRaw, pool: { query } } as unknown as Database);
  if (plan === undefined) throw new Error('no plan');
  const read: Reading = {
    rows: 0,
    blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    indexes: new Set(),
    wholeTables: [],
  };
  const walk = (node: Node): void => {
    const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    if (node['Node Type'].endsWith('Scan') && (node['Relation Name'] ?? node['Index Name']) !== undefined) {
      read.rows += rows;
    }
    if (node['Index Name'] !== undefined) read.indexes.add(node['Index Name']);
    if (node['Node Type'] === 'Seq Scan') read.wholeTables.push(node['Relation Name'] ?? '');
    node.Plans?.forEach(walk);
  };
  walk(plan);
  return read;
}
