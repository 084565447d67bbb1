import type { RevealSecrets, StoredSecret } from '../../../domain/execution/keptSecret.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import { shownVariables } from '../../../domain/execution/secretVariable.ts';
import { shownTrigger } from '../../../domain/execution/shownTrigger.ts';
import { isUuid } from '../../../domain/isUuid.ts';
import { isJsonObject, type Json } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { SECRETS_SQL } from './secrets.ts';

/** The type of the trigger of execution `t`. */
export const TRIGGER_TYPE = Prisma.sql`coalesce(
  (SELECT v.trigger_type FROM workflow_versions v WHERE v.id = t.version_id), t.definition #>> '{trigger,type}',
  'manual')`;

export const INPUT_LINK = Prisma.sql`'/api/executions/' || t.id || '/input'`;

/** Selects the input of execution `t` for `shownInput`; beyond `mostBytes` only its size. */
export function inputSql(mostBytes: number): Prisma.Sql {
  const fits = Prisma.sql`t.input_bytes <= ${mostBytes}::bigint`;
  return Prisma.sql`json_build_object('executionId', t.id, 'secrets', ${SECRETS_SQL}, 'triggerType', ${TRIGGER_TYPE},
    'trigger', CASE WHEN ${fits} THEN t.trigger END, 'variables', CASE WHEN ${fits} THEN t.variables END,
    'bytes', CASE WHEN NOT ${fits} THEN t.input_bytes END)`;
}

interface InputRow {
  executionId: string;
  secrets: StoredSecret[];
  triggerType: string | null;
  trigger: Json;
  variables: Json;
  bytes: number | null;
}

export interface ShownInput {
  input: Json;
  inputLink?: string;
  inputBytes?: number;
}

/** Returns `{trigger, variables?}` with secrets masked, or a link if it is too large. */
export function shownInput(json: Json, open: RevealSecrets): ShownInput {
  const { executionId, secrets, triggerType, trigger, variables, bytes } = json as unknown as InputRow;
  if (bytes !== null) return { input: null, inputLink: `/api/executions/${executionId}/input`, inputBytes: bytes };
  const hasVariables = isJsonObject(variables) && Object.keys(variables).length > 0;
  const input = {
    trigger: shownTrigger(triggerType, trigger),
    ...(hasVariables ? { variables: shownVariables(variables) } : {}),
  };
  return { input: maskSecrets(input, open(secrets)) };
}

/** Returns the whole input, without a size limit. Throws NOT_FOUND. */
export async function readInput(database: Database, workspaceId: string, executionId: string): Promise<Json> {
  const [row] = isUuid(executionId)
    ? await database.$queryRaw<{ input: Json }[]>`
        SELECT ${inputSql(Number.MAX_SAFE_INTEGER)} AS input
        FROM executions t WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid`
    : [];
  if (!row) throw new Problem('NOT_FOUND', 'The execution does not exist');
  return shownInput(row.input, database.revealSecrets).input;
}
