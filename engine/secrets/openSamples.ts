import type { Database } from '../../prisma/client.ts';
import { samplesOfKeys } from '../../prisma/store/sealed/sealedRows.ts';
import { SEALED_TABLES, type SealedTableName } from '../../prisma/store/sealed/sealedTables.ts';
import { SealBroken, type Sealer } from './sealer.ts';
import { sealPlace } from './sealPlace.ts';

/** Opens the first and last value per key and table. `closed`: those that do not open. `keys`: count of used keys. */
export async function openSamples(database: Database, sealer: Sealer): Promise<{ keys: number; closed: string[] }> {
  const keys = new Set<string>();
  const closed = new Set<string>();
  for (const table of Object.keys(SEALED_TABLES) as SealedTableName[]) {
    for (const sample of await samplesOfKeys(database, table)) {
      keys.add(sample.keyId);
      try {
        sealer.open(sealPlace(table, sample.row as never), sample);
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        closed.add(`${table}, key "${sample.keyId}": ${error.message}`);
      }
    }
  }
  return { keys: keys.size, closed: [...closed] };
}
