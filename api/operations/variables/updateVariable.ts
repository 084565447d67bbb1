import type { Json } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import { HIDDEN_SECRET } from '../../../domain/workflow/maskTrigger.ts';
import { changeResource } from '../../../prisma/store/changeResource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import { VARIABLE, VARIABLE_TO_SEAL } from '../../../prisma/store/variable/resource.ts';
import { readStoredValue } from '../../../prisma/store/variable/variables.ts';
import type { Operation } from '../../operation.ts';
import { requireValue, sealedValue } from './sealedValue.ts';

/** No value, or the mask, keeps the stored one. Making a secret readable requires its value: nobody may read it. */
export const updateVariable: Operation<'updateVariable'> = async (request) => {
  const { caller, params, query, body = {}, services, expected } = request;
  const { database, vault, config } = services;
  const { workspaceId } = caller;
  const { variableId } = params;
  checkReadQuery(VARIABLE, query);
  const { value, isSecret, ...others } = body;
  const options = { query, answerBytes: config.MAX_ANSWER_BYTES, expected };
  const change = others as Record<string, Json>;
  if (value === undefined && isSecret === undefined) {
    return changeResource(database, caller, VARIABLE, variableId, change, options);
  }
  const stored = await readStoredValue(database, workspaceId, variableId);
  if (!stored) throw notFound(VARIABLE);
  const becomesSecret = isSecret ?? stored.isSecret;
  const isMask = value === HIDDEN_SECRET && stored.isSecret;
  const given = value === undefined || isMask ? undefined : (value as Json);
  if (stored.isSecret && !becomesSecret && given === undefined) {
    const message = 'required, because the secret cannot be read: send the value with isSecret false';
    throw new Problem('VALIDATION_FAILED', `value: ${message}`, { errors: [{ path: 'value', message }] });
  }
  requireValue(given, false);
  if (given !== undefined || stored.isSecret !== becomesSecret) {
    Object.assign(
      change,
      sealedValue(vault, { workspaceId, variableId }, given === undefined ? stored.value : given, becomesSecret),
    );
  }
  return changeResource(database, caller, VARIABLE_TO_SEAL, variableId, change, options);
};
