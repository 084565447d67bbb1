import { SEALED_TABLES } from '../../prisma/store/sealed/sealedTables.ts';

/** Every key id that a value is sealed with, as `id`. */
export const KEYS_IN_USE = `SELECT DISTINCT key_id AS id FROM (${Object.keys(SEALED_TABLES)
  .map((table) => `SELECT key_id FROM ${table} WHERE key_id IS NOT NULL`)
  .join(' UNION ')}) k`;
