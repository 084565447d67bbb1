import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type pg from 'pg';
import { type Deployed, ourSide } from './calls.ts';
import { untilQuiet } from './measure.ts';
import type { RowName } from './rows.ts';
import { type BenchStack, startStack } from './stack.ts';
import { countStatements } from './statementCounter.ts';

const COUNTED = 20;
const FIRST = 3;
/** Disables the reconciler and the poll of the change feed, so that all statements belong to the requests. */
const NO_BACKGROUND = { RECONCILE_INTERVAL_MS: '3600000', SWEEP_INTERVAL_MS: '3600000', CHANGE_POLL_MS: '3600000' };

export interface StatementCost {
  row: RowName;
  /** For one request and everything that it starts. */
  perExecution: number;
  statements: { sql: string; perExecution: number }[];
}

/** Counts statements of a second API and worker on the same servers, by a proxy. Requests run one by one. */
export async function countCosts(
  stack: BenchStack,
  deployed: Deployed,
  rows: readonly RowName[],
  database: pg.Client,
  folder: string,
): Promise<StatementCost[]> {
  const counter = await countStatements(stack.running.databaseUrl);
  const counted = await startStack(join(folder, 'counted'), {
    ...NO_BACKGROUND,
    DATABASE_URL: counter.url,
    TEMPORAL_ADDRESS: stack.running.temporalAddress,
    TEMPORAL_TASK_QUEUE: 'bench-counted',
  });
  const side = ourSide(stack, deployed, counted.credentials.url);
  try {
    const costs: StatementCost[] = [];
    for (const row of rows) {
      for (let index = 0; index < FIRST; index++) await side.calls[row]();
      await untilQuiet(database);
      counter.take();
      for (let index = 0; index < COUNTED; index++) await side.calls[row]();
      await untilQuiet(database);
      costs.push(costOf(row, counter.take()));
    }
    return costs;
  } finally {
    await side.close();
    await counted.stop();
    counter.close();
  }
}

function costOf(row: RowName, counts: Map<string, number>): StatementCost {
  const statements = [...counts].map(([sql, count]) => ({
    sql: sql.replaceAll(/\s+/g, ' ').trim(),
    perExecution: count / COUNTED,
  }));
  return { row, perExecution: statements.reduce((sum, { perExecution }) => sum + perExecution, 0), statements };
}

export async function countEvents<Name extends string>(
  address: string,
  ids: Record<Name, string>,
): Promise<Record<Name, number>> {
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection });
    const counts: Partial<Record<Name, number>> = {};
    for (const name of Object.keys(ids) as Name[]) {
      const handle = workflow.getHandle(ids[name]);
      // A failed workflow would have another history.
      await handle.result();
      counts[name] = (await handle.fetchHistory()).events?.length ?? 0;
    }
    return counts as Record<Name, number>;
  } finally {
    await connection.close();
  }
}
