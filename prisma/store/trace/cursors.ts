import type { Database } from '../../client.ts';

export interface TraceCursor {
  endedAt: Date;
  id: string;
}

export type TraceKind = 'executions' | 'turns';
const TRACE_KINDS: readonly TraceKind[] = ['executions', 'turns'];

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export interface TraceCursors {
  cursors: Record<TraceKind, TraceCursor>;
  /** Everything that ended before it is visible: a row has the time at which its write began. */
  settledUntil: Date;
}

/** A new cursor starts `firstMs` ago; one older than `oldestMs` is moved up. No statement lasts over `longestMs`. */
export async function readTraceCursors(
  database: Database,
  { firstMs, oldestMs, longestMs }: { firstMs: number; oldestMs: number; longestMs: number },
): Promise<TraceCursors> {
  // Raw: by the database's clock and its running transactions. A backup may run for hours, and ends no execution.
  const [row] = await database.$queryRaw<[{ now: Date; settledUntil: Date }]>`
    SELECT now() AS now, least(now() - interval '1 second', (
      SELECT min(a.xact_start) - interval '1 millisecond' FROM pg_stat_activity a
      WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()
        AND a.xact_start > now() - make_interval(secs => ${longestMs / 1_000}::float8))) AS "settledUntil"`;
  const ago = (ms: number) => new Date(row.now.getTime() - ms);
  const known = await database.traceCursor.findMany();
  const missing = TRACE_KINDS.filter((name) => !known.some((cursor) => cursor.name === name));
  if (missing.length > 0) {
    const data = missing.map((name) => ({ name, endedAt: ago(firstMs), id: FIRST_ID }));
    await database.traceCursor.createMany({ data, skipDuplicates: true });
  }
  const of = (name: TraceKind): TraceCursor => {
    const cursor = known.find((each) => each.name === name) ?? { endedAt: ago(firstMs), id: FIRST_ID };
    return cursor.endedAt < ago(oldestMs) ? { endedAt: ago(oldestMs), id: FIRST_ID } : cursor;
  };
  return { cursors: { executions: of('executions'), turns: of('turns') }, settledUntil: row.settledUntil };
}

/** Never moves backwards: two processes may send at the same time for a moment. */
export async function moveTraceCursor(database: Database, name: TraceKind, to: TraceCursor): Promise<void> {
  await database.traceCursor.updateMany({
    where: { name, OR: [{ endedAt: { lt: to.endedAt } }, { endedAt: to.endedAt, id: { lt: to.id } }] },
    data: { endedAt: to.endedAt, id: to.id },
  });
}
