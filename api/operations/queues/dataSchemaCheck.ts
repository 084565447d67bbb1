import { isJsonObject, type Json } from '../../../domain/json.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { dataRules } from '../../../domain/queue/dataRules.ts';
import { requireRules } from '../../../engine/objects/requireRules.ts';
import { requireItemData } from '../../../engine/queues/itemData.ts';
import type { Caller } from '../../access/caller.ts';
import type { PatchRequest } from '../../resources/patchOf.ts';
import type { Services } from '../../services.ts';
import { rulesCheck } from '../objectTypes/rulesCheck.ts';

/** Throws VALIDATION_FAILED with places in `dataSchema`. */
export async function requireDataSchema(services: Services, caller: Caller, schema: unknown): Promise<void> {
  if (!isJsonObject(schema)) return;
  await requireRules(dataRules(schema), rulesCheck(services, caller));
}

export async function dataSchemaProblemsOf(
  services: Services,
  caller: Caller,
  schema: Json | undefined,
): Promise<ProblemDetail[]> {
  return isJsonObject(schema) ? rulesCheck(services, caller)(dataRules(schema)) : [];
}

export async function checkDataSchema({ body, caller, services }: PatchRequest): Promise<void> {
  await requireDataSchema(services, caller, (body as { dataSchema?: unknown } | undefined)?.dataSchema);
}

export async function checkItemData({ body, caller, params, services }: PatchRequest): Promise<void> {
  const { data } = (body ?? {}) as { data?: Json };
  await requireItemData(services, caller.workspaceId, (params as { queueId: string }).queueId, [{ path: '', data }]);
}
