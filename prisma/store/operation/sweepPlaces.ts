import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** A row by its time, as Postgres writes it, and its id: the last row that a sweep has read. */
export interface SweepPlace {
  at: string;
  id: string;
}

/** Before every row. */
export const OLDEST: SweepPlace = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** How far a statement of a sweep has come. */
export interface Swept {
  /** The place behind which the next statement continues; null if it is the same as before. */
  reached: SweepPlace | null;
  /** The statement stopped at a limit, so there may be more rows to delete. */
  hasMore: boolean;
}

/** Returns the condition that a row, by its time and its id, is behind the place. */
export function behind(time: Prisma.Sql, id: Prisma.Sql, place: SweepPlace): Prisma.Sql {
  return Prisma.sql`(${time}, ${id}) > (${place.at}::timestamptz, ${place.id}::uuid)`;
}

/** The place that a sweep has reached. */
export interface SweepProgress {
  place: SweepPlace;
  /** The sweep begins again an hour from now: it has just begun, or it has not reached the end yet. */
  beginsHour: boolean;
}

/**
 * Returns the place behind which a sweep continues. An hour after it has reached the end it begins again at the oldest row,
 * so rows that had to stay are read once an hour.
 */
export async function readSweepPlace(database: Database, sweep: string): Promise<SweepProgress> {
  // Raw: by the database's clock.
  const [place] = await rowsOf<SweepPlace>(
    database,
    Prisma.sql`SELECT s.at::text AS at, s.id FROM sweep_places s WHERE s.sweep = ${sweep} AND s.again_at > now()`,
  );
  return place ? { place, beginsHour: false } : { place: OLDEST, beginsHour: true };
}

export async function storeSweepPlace(
  database: Database,
  sweep: string,
  { place, beginsHour }: SweepProgress,
): Promise<void> {
  // Raw: by the database's clock.
  await database.$executeRaw`
    INSERT INTO sweep_places AS s (sweep, at, id, again_at)
    VALUES (${sweep}, ${place.at}::timestamptz, ${place.id}::uuid, now() + interval '1 hour')
    ON CONFLICT (sweep) DO UPDATE SET at = excluded.at, id = excluded.id,
      again_at = CASE WHEN ${beginsHour}::boolean THEN excluded.again_at ELSE s.again_at END`;
}
