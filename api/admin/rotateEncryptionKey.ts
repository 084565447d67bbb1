import { keysInUse, rotateKeys } from '../../engine/secrets/rotateKeys.ts';
import { createSealer } from '../../engine/secrets/sealer.ts';
import type { Database } from '../../prisma/client.ts';
import { SEALED_TABLES, type SealedTableName } from '../../prisma/store/sealed/sealedTables.ts';
import { AdminProblem } from './adminArguments.ts';

const MAX_NAMED = 20;

/**
 * `inUse` counts values by key afterwards. Throws an AdminProblem if rows cannot be opened; all others are done then.
 */
export async function rotateEncryptionKey(database: Database, encryptionKey: string | undefined) {
  if (encryptionKey === undefined)
    throw new AdminProblem('set ENCRYPTION_KEY to the same value as for the processes of the deployment');
  const sealer = createSealer(encryptionKey);
  const resealed = Object.fromEntries(Object.keys(SEALED_TABLES).map((table) => [table, 0])) as Record<
    SealedTableName,
    number
  >;
  const broken: string[] = [];
  for await (const batch of rotateKeys(database, sealer)) {
    resealed[batch.table] += batch.resealed;
    for (const { row, reason } of batch.broken) broken.push(`${batch.table} ${JSON.stringify(row)}: ${reason}`);
  }
  const inUse = await keysInUse(database);
  if (broken.length === 0) return { keyId: sealer.newestKeyId, resealed, inUse };
  const more = broken.length > MAX_NAMED ? [`and ${broken.length - MAX_NAMED} more`] : [];
  throw new AdminProblem(
    [
      `${broken.length} values could not be opened and stay unchanged; all others are sealed again: ${JSON.stringify({ resealed, inUse })}`,
      ...broken.slice(0, MAX_NAMED),
      ...more,
    ].join('\n  '),
  );
}
