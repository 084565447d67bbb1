import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { LAST_REVISION } from '../task/deleteTask.ts';
import { notifyOfRun } from '../turn/notifyTurn.ts';

export async function openRunsOfAgent(database: Database, workspaceId: string, agentId: string): Promise<string[]> {
  const rows = await database.taskRun.findMany({
    where: { workspaceId, task: { agentId, workspaceId }, status: { in: ['RUNNING', 'QUEUED'] } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

export async function tellOfGoneRuns(database: Database, runIds: readonly string[]): Promise<void> {
  const notified = notifyOfRun(Prisma.sql`o.id`, Prisma.sql`${LAST_REVISION}::int`, Prisma.sql`'STOPPED'`);
  await rowsOf(database, Prisma.sql`SELECT ${notified} FROM unnest(${[...runIds]}::uuid[]) AS o (id)`);
}
