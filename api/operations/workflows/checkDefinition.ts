import { isError } from '../../../domain/problem.ts';
import type { Validation } from '../../../domain/workflow/validate.ts';
import type { Caller } from '../../access/caller.ts';
import { requireNeeds } from '../../access/requireNeeds.ts';
import type { Services } from '../../services.ts';
import { calledFields } from './calledFields.ts';
import { connectionProblems } from './connectionProblems.ts';
import { queueProblems } from './queueProblems.ts';
import { type DefinitionBody, readDefinition } from './readDefinition.ts';

/** Returns the definition if there is no error. Throws FORBIDDEN if `author` lacks a permission. */
export async function checkDefinition(
  body: DefinitionBody,
  services: Services,
  by: { workspaceId: string; projectId?: string | undefined; author?: Caller },
): Promise<Validation> {
  const { validation, nodes, poll, trigger, needs, inBody } = await readDefinition(body, services, {
    fieldsOf: await calledFields(services, by, body),
  });
  if (by.author) requireNeeds(by.author, needs);
  const found = [
    ...validation.problems,
    ...(await connectionProblems(services, by, nodes, poll)),
    ...(await queueProblems(services, by.workspaceId, trigger)),
  ];
  const { definition } = validation;
  const isValid = definition !== undefined && !found.some(isError);
  return { problems: inBody(found), ...(isValid ? { definition } : {}) };
}
