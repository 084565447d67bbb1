import { isError } from '../../../domain/problem.ts';
import type { Validation } from '../../../domain/workflow/validate.ts';
import type { Caller } from '../../access/caller.ts';
import { requireNeeds } from '../../access/requireNeeds.ts';
import type { Services } from '../../services.ts';
import { connectionProblems } from './connectionProblems.ts';
import { queueProblems } from './queueProblems.ts';
import { type DefinitionBody, readDefinition } from './readDefinition.ts';
import { storedSurroundings } from './storedSurroundings.ts';

/** Returns the definition if there is no error. Throws FORBIDDEN if the caller will store it and lacks a permission. */
export async function checkDefinition(
  body: DefinitionBody,
  services: Services,
  { isStored = false, ...by }: { caller: Caller; projectId?: string | undefined; isStored?: boolean },
): Promise<Validation> {
  const surroundings = await storedSurroundings(services, by, body);
  const { validation, nodes, poll, trigger, needs, inBody } = await readDefinition(body, services, surroundings);
  const { workspaceId } = by.caller;
  const author = { workspaceId, ...(isStored ? { author: by.caller } : {}) };
  if (isStored) requireNeeds(by.caller, needs);
  const found = [
    ...validation.problems,
    ...(await connectionProblems(services, author, nodes, poll)),
    ...(await queueProblems(services, workspaceId, trigger)),
  ];
  const { definition } = validation;
  const isValid = definition !== undefined && !found.some(isError);
  return { problems: inBody(found), ...(isValid ? { definition } : {}) };
}
