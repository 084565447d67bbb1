import type { Validation } from '../../../domain/workflow/validate.ts';
import type { Caller } from '../../access/caller.ts';
import { requireNeeds } from '../../access/requireNeeds.ts';
import type { Services } from '../../services.ts';
import { connectionProblems } from './connectionProblems.ts';
import { queueProblems } from './queueProblems.ts';
import { type DefinitionBody, readDefinition } from './readDefinition.ts';

/** Throws FORBIDDEN if `author` lacks a permission. */
export async function checkDefinition(
  body: DefinitionBody,
  services: Services,
  by: { workspaceId: string; author?: Caller },
): Promise<Validation> {
  const { validation, nodes, poll, trigger, needs, inBody } = await readDefinition(body, services);
  if (by.author) requireNeeds(by.author, needs);
  const found = [
    ...validation.problems,
    ...(await connectionProblems(services, by, nodes, poll)),
    ...(await queueProblems(services, by.workspaceId, trigger)),
  ];
  return found.length === 0 ? validation : { problems: inBody(found) };
}
