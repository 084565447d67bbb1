import type { JsonObject } from '../../../domain/json.ts';
import type { ReferenceKind } from '../../../domain/reference/reference.ts';
import { referencesIn } from '../../../domain/reference/references.ts';
import type { Surroundings } from '../../../domain/workflow/validate.ts';
import { variableNames } from '../../../prisma/store/variable/variables.ts';
import { errorWorkflowsAmong } from '../../../prisma/store/workflow/errorWorkflows.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';
import { calledFields } from './calledFields.ts';
import type { DefinitionBody } from './readDefinition.ts';
import { storedItemRules, storedTypes } from './storedRules.ts';

/** Reads what the resources that a body names take, if the caller may read them. The body may be invalid. */
export async function storedSurroundings(
  services: Services,
  { caller, projectId }: { caller: Caller; projectId?: string | undefined },
  body: DefinitionBody & { slug?: unknown },
): Promise<Surroundings> {
  const { workspaceId, permissions } = caller;
  const named = referencesIn('workflow', body as JsonObject, services.catalogue);
  const namesOf = (kind: ReferenceKind) => named.filter((each) => each.kind === kind).map(({ name }) => name);
  const [fieldsOf, types, items, names, errorWorkflows] = await Promise.all([
    permissions.has('workflows:read') ? calledFields(services, { workspaceId, projectId }, body) : undefined,
    permissions.has('objects:read') ? storedTypes(services, workspaceId, namesOf('objectType')) : undefined,
    permissions.has('queues:read') ? storedItemRules(services, workspaceId, namesOf('queue')) : undefined,
    permissions.has('variables:read') ? variablesFor(services, { workspaceId, projectId }, body) : undefined,
    errorWorkflowOf(services, { workspaceId, projectId }, body),
  ]);
  return {
    fieldsOf,
    ...(types && { types: { typeOf: (slug) => types.get(slug), severity: 'error' } }),
    ...(items && { queues: { rulesOf: (queueId) => items.get(queueId) } }),
    ...(names && { variables: { names: new Set(names), severity: 'error' } }),
    // Others may name it later.
    ...(errorWorkflows.size > 0 && { isErrorWorkflow: true }),
  };
}

interface Place {
  workspaceId: string;
  projectId: string | undefined;
}

/** Undefined without a project, whose variables are unknown then. */
async function variablesFor(
  { database }: Services,
  { workspaceId, projectId }: Place,
  body: DefinitionBody,
): Promise<string[] | undefined> {
  if (projectId === undefined) return undefined;
  return JSON.stringify(body).includes('variables') ? variableNames(database, workspaceId, projectId) : [];
}

async function errorWorkflowOf(
  { database }: Services,
  { workspaceId, projectId }: Place,
  { slug, ...body }: DefinitionBody & { slug?: unknown },
): Promise<ReadonlySet<string>> {
  const readsTrigger = JSON.stringify(body).includes('trigger.');
  if (projectId === undefined || typeof slug !== 'string' || !readsTrigger) return new Set();
  return errorWorkflowsAmong(database, workspaceId, { projectId, slug });
}
