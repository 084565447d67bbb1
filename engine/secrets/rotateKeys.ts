import type { Database } from '../../prisma/client.ts';
import { countByKey, replaceSealed, rowsOfOtherKeys, type SealedRow } from '../../prisma/store/sealed/sealedRows.ts';
import { SEALED_TABLES, type SealedRowId, type SealedTableName } from '../../prisma/store/sealed/sealedTables.ts';
import { SealBroken, type Sealer } from './sealer.ts';
import { sealPlace } from './sealPlace.ts';

const BATCH = 200;

export interface RotatedBatch {
  table: SealedTableName;
  resealed: number;
  /** Rows that do not open, with the reason; they stay unchanged. */
  broken: { row: SealedRowId; reason: string }[];
}

/**
 * Reseals values of older keys with the newest key. A second run continues after a kill. Other processes may work
 * meanwhile: they open values of all keys, and a row that changes in between is left to its writer.
 */
export async function* rotateKeys(database: Database, sealer: Sealer, batch = BATCH): AsyncGenerator<RotatedBatch> {
  for (const table of Object.keys(SEALED_TABLES) as SealedTableName[]) {
    let after: SealedRowId | undefined;
    for (;;) {
      const rows = await rowsOfOtherKeys(database, table, sealer.newestKeyId, after, batch);
      if (rows.length === 0) break;
      after = rows.at(-1)?.row;
      yield await sealAnew(database, sealer, table, rows);
    }
  }
}

async function sealAnew(
  database: Database,
  sealer: Sealer,
  table: SealedTableName,
  rows: readonly SealedRow[],
): Promise<RotatedBatch> {
  const broken: RotatedBatch['broken'] = [];
  const opened = rows.flatMap((found) => {
    const place = sealPlace(table, found.row as never);
    try {
      return [{ ...found, resealed: sealer.seal(place, sealer.open(place, found)).sealed }];
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      broken.push({ row: found.row, reason: error.message });
      return [];
    }
  });
  return { table, resealed: await replaceSealed(database, table, opened, sealer.newestKeyId), broken };
}

/** Counts rows per key over all tables. A key that is not listed can be removed from ENCRYPTION_KEY. */
export async function keysInUse(database: Database): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const table of Object.keys(SEALED_TABLES) as SealedTableName[]) {
    for (const [keyId, count] of Object.entries(await countByKey(database, table))) {
      sums[keyId] = (sums[keyId] ?? 0) + count;
    }
  }
  return sums;
}
