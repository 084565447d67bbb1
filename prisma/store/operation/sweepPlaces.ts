import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** The last row that a sweep has read: its time, as Postgres writes it, and its id. */
export interface SweepPlace {
  at: string;
  id: string;
}

export const OLDEST: SweepPlace = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

export interface Swept {
  /** The place after which the next statement continues; null: unchanged. */
  reached: SweepPlace | null;
  hasMore: boolean;
}

export function behind(time: Prisma.Sql, id: Prisma.Sql, place: SweepPlace): Prisma.Sql {
  return Prisma.sql`(${time}, ${id}) > (${place.at}::timestamptz, ${place.id}::uuid)`;
}

export interface SweepProgress {
  place: SweepPlace;
  /** The sweep starts again in an hour: it has just begun, or has not reached the end yet. */
  beginsHour: boolean;
}

/** An hour after its end a sweep starts again, so rows that could not be deleted are read once an hour. */
export async function readSweepPlace(database: Database, sweep: string): Promise<SweepProgress> {
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
  await database.$executeRaw`
    INSERT INTO sweep_places AS s (sweep, at, id, again_at)
    VALUES (${sweep}, ${place.at}::timestamptz, ${place.id}::uuid, now() + interval '1 hour')
    ON CONFLICT (sweep) DO UPDATE SET at = excluded.at, id = excluded.id,
      again_at = CASE WHEN ${beginsHour}::boolean THEN excluded.again_at ELSE s.again_at END`;
}
