import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface TakenLeases {
  held: string[];
  /** Until the first lease of somebody else ends, milliseconds; null where nobody else has one. */
  othersEndInMs: number | null;
}

/**
 * Takes the leases of these duties that nobody else holds, and renews those that are `holder`'s, for `leaseMs`. `takeOver`:
 * also those of others, who are gone.
 */
export async function takeDutyLeases(
  database: Database,
  holder: string,
  duties: readonly string[],
  { leaseMs, takeOver }: { leaseMs: number; takeOver: boolean },
): Promise<TakenLeases> {
  const isOthers = Prisma.sql`o.holder <> ${holder}::uuid AND o.expires_at > now() AND NOT ${takeOver}::boolean`;
  // Raw: one statement decides. Of others' leases no row is locked: who holds nothing writes nothing.
  const [row] = await rowsOf<TakenLeases>(
    database,
    Prisma.sql`
    WITH others AS MATERIALIZED (
      SELECT o.duty, o.expires_at FROM duty_leases o WHERE o.duty = ANY (${[...duties]}::text[]) AND ${isOthers}
    ), taken AS (
      INSERT INTO duty_leases AS o (duty, holder, expires_at)
      SELECT d, ${holder}::uuid, now() + make_interval(secs => ${leaseMs / 1_000}::float8)
      FROM unnest(${[...duties]}::text[]) d WHERE d NOT IN (SELECT duty FROM others) ORDER BY d
      ON CONFLICT (duty) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
      WHERE NOT (${isOthers})
      RETURNING duty
    )
    SELECT coalesce((SELECT array_agg(duty) FROM taken), '{}') AS held,
      (SELECT extract(epoch FROM min(expires_at) - now()) * 1000 FROM others)::float8 AS "othersEndInMs"`,
  );
  return row ?? { held: [], othersEndInMs: null };
}

/** Another process may take them at once. */
export async function releaseDutyLeases(database: Database, holder: string): Promise<void> {
  await database.dutyLease.deleteMany({ where: { holder } });
}
