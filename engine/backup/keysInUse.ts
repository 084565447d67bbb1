import { SEALED_TABLES } from '../../prisma/store/sealed/sealedTables.ts';

export const KEYS_IN_USE = `SELECT DISTINCT key_id AS id FROM (${Object.keys(SEALED_TABLES)
  .map((table) => `SELECT key_id FROM ${table} WHERE key_id IS NOT NULL`)
  .join(' UNION ')}) k`;
