import type { RevealSecrets, StoredSecret } from '../../../domain/execution/keptSecret.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import type { Json } from '../../../domain/json.ts';
import { Prisma } from '../../generated/client.ts';
import { SECRETS_SQL } from './secrets.ts';

/** Selects the output of execution `t` for `shownOutput`; beyond `mostBytes` only its size. */
export function outputSql(mostBytes: number): Prisma.Sql {
  return Prisma.sql`CASE WHEN t.output IS NOT NULL THEN json_build_object(
    'executionId', t.id, 'secrets', ${SECRETS_SQL},
    'value', CASE WHEN t.output_bytes <= ${mostBytes}::bigint THEN t.output END,
    'bytes', CASE WHEN t.output_bytes > ${mostBytes}::bigint THEN t.output_bytes END) END`;
}

interface OutputRow {
  executionId: string;
  secrets: StoredSecret[];
  value: Json;
  bytes: number | null;
}

export interface ShownOutput {
  output: Json;
  outputLink?: string;
  outputBytes?: number;
}

export function shownOutput(json: Json, open: RevealSecrets): ShownOutput {
  if (json === null) return { output: null };
  const { executionId, secrets, value, bytes } = json as unknown as OutputRow;
  if (bytes === null) return { output: maskSecrets(value, open(secrets)) };
  return { output: null, outputLink: `/api/executions/${executionId}/output`, outputBytes: bytes };
}
