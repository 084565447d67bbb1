import { missingNeeds, type Need } from '../../../domain/access/stepPermissions.ts';
import { type BundleKind, inOrder, KIND_PERMISSIONS } from '../../../domain/bundle/bundle.ts';
import { circularCalls } from '../../../domain/bundle/circularCalls.ts';
import { isUuid } from '../../../domain/isUuid.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { isJsonObject } from '../../../domain/json.ts';
import { inPath, pathTo } from '../../../domain/place.ts';
import { type ProblemDetail, problemIn } from '../../../domain/problem.ts';
import type { ReferenceKind } from '../../../domain/reference/reference.ts';
import { referencesIn } from '../../../domain/reference/references.ts';
import { EventLoopYield } from '../../../engine/fairness/eventLoopYield.ts';
import { type KnownId, namedByAgent } from '../../../prisma/store/agent/agentReferences.ts';
import { type NamedRow, readSubAgents } from '../../../prisma/store/bundle/names.ts';
import { errorWorkflowsAmong } from '../../../prisma/store/workflow/errorWorkflows.ts';
import type { Caller } from '../../access/caller.ts';
import { requireNeeds } from '../../access/requireNeeds.ts';
import { type Exposable, exposureProblems } from '../../mcp/exposureProblems.ts';
import type { Services } from '../../services.ts';
import { storedItemRules, storedTypes } from '../workflows/storedRules.ts';
import { checkApp } from './bundleApps.ts';
import { identified, resolved, shapeProblems } from './bundleResources.ts';
import { bundleSurroundings, type StoredNames } from './bundleSurroundings.ts';
import { checkAgent } from './checkAgent.ts';
import { checkKnowledge, checkQueue, checkType, checkVariable } from './checkOthers.ts';
import { checkWorkflow } from './checkWorkflow.ts';
import type { ProjectState } from './projectState.ts';
import type { Checked, Checking, GivenResource } from './resourceCheck.ts';

const CHECKS: Record<BundleKind, (given: GivenResource, checking: Checking) => Checked | Promise<Checked>> = {
  agent: checkAgent,
  app: checkApp,
  knowledge: checkKnowledge,
  objectType: checkType,
  queue: checkQueue,
  variable: checkVariable,
  workflow: checkWorkflow,
};

/** A resource as it will be stored; without `fields` it has a problem. */
export interface WantedResource extends GivenResource {
  fields: JsonObject;
}

/** Throws FORBIDDEN if the caller may not write the kind of one that is written. Default: all are. */
export function requireKinds<R extends { kind: BundleKind }>(
  caller: Caller,
  resources: readonly R[],
  isWritten: (resource: R) => boolean = () => true,
): void {
  const needs = resources.flatMap((resource, index): Need[] => {
    if (!isWritten(resource)) return [];
    const { kind } = resource;
    const permission = KIND_PERMISSIONS[kind].write;
    const path = pathTo(pathTo('resources', index), 'kind');
    return [{ permission, path, message: `${kind} needs the permission ${permission}` }];
  });
  requireNeeds(caller, missingNeeds(needs, caller.permissions));
}

export async function checkResources(
  services: Services,
  caller: Caller,
  {
    projectId,
    state,
    resources,
  }: { projectId: string; state: ProjectState; resources: Parameters<typeof identified>[0] },
): Promise<{ wanted: WantedResource[]; problems: ProblemDetail[] }> {
  const given = identified(resources, projectId, state);
  // Megabytes of definitions, so yield to other work.
  const eventLoop = new EventLoopYield();
  const problems = [...given.problems];
  const all: GivenResource[] = [];
  for (const each of given.resources) {
    const named = resolved(each, state.names, services);
    problems.push(...named.problems);
    all.push(named.given);
    await eventLoop.takeIfDue();
  }
  const checking = await checkingOf(services, caller, { projectId, state, all });
  const wanted: WantedResource[] = [];
  const needs: Need[] = [];
  const taken = new Set(problems.map(({ path }) => path));
  for (const each of all) {
    await eventLoop.takeIfDue();
    const shape = (await shapeProblems(each)).filter(({ path }) => !taken.has(path));
    problems.push(...shape);
    // Continues for malformed workflows, whose definitions the contract leaves to the checks.
    if (shape.length > 0 && each.kind !== 'workflow') continue;
    const checked = await CHECKS[each.kind](each, checking);
    const here = (path: string) => inPath(each.path, path);
    needs.push(...checked.needs.map((need) => ({ ...need, path: here(need.path) })));
    problems.push(...checked.problems.map((one) => problemIn(each.path, one)).filter(({ path }) => !taken.has(path)));
    if (checked.fields) wanted.push({ ...each, fields: checked.fields });
  }
  requireNeeds(caller, needs);
  problems.push(...(await exposureProblems(services, caller, projectId, wanted.flatMap(exposableOf))));
  return { wanted: inOrder(wanted), problems };
}

function exposableOf({ kind, id, slug, path, fields }: WantedResource): Exposable[] {
  if (kind !== 'workflow' && kind !== 'agent') return [];
  const { exposeAsTool, trigger } = fields as Pick<Exposable, 'exposeAsTool' | 'trigger'>;
  return [{ kind, id, slug, path, exposeAsTool, trigger }];
}

const LISTS = {
  workflowIds: 'workflow',
  subAgentIds: 'agent',
  knowledgeIds: 'knowledge',
  objectTypeIds: 'objectType',
  variableIds: 'variable',
} as const;

async function checkingOf(
  services: Services,
  caller: Caller,
  { projectId, state, all }: { projectId: string; state: ProjectState; all: readonly GivenResource[] },
): Promise<Checking> {
  const apps = new Map(
    state.rows.flatMap(({ kind, id, what }): [string, string][] =>
      kind === 'connection' && what !== null ? [[id, what]] : [],
    ),
  );
  const agents = all.filter(({ kind }) => kind === 'agent');
  const known =
    agents.length === 0 ? new Map<string, KnownId>() : await knownOf(services, caller, { projectId, all, agents });
  const cyclic = agents.length === 0 ? new Map() : await cyclicOf(services, caller, agents);
  const stored = services.isOfOneFolder ? undefined : await storedNames(services, caller, { projectId, state, all });
  const surroundings = await bundleSurroundings(all, stored);
  return { services, caller, projectId, names: state.names, apps, known, cyclic, surroundings };
}

async function storedNames(
  services: Services,
  { workspaceId, permissions }: Caller,
  { projectId, state, all }: { projectId: string; state: ProjectState; all: readonly GivenResource[] },
): Promise<StoredNames> {
  const workflows = all.filter(({ kind }) => kind === 'workflow');
  const named = workflows.flatMap(({ body }) => referencesIn('workflow', body, services.catalogue));
  const namesOf = (kind: ReferenceKind) => [
    ...new Set(named.filter((each) => each.kind === kind).map(({ name }) => name)),
  ];
  const ids = workflows.map(({ id }) => id);
  const isReadable = (row: NamedRow) => row.projectId === null || row.projectId === projectId.toLowerCase();
  return {
    variables: permissions.has('variables:read')
      ? state.rows.filter((row) => row.kind === 'variable' && isReadable(row)).map(({ slug }) => slug)
      : undefined,
    types: permissions.has('objects:read')
      ? await storedTypes(services, workspaceId, namesOf('objectType'))
      : undefined,
    items: permissions.has('queues:read') ? await storedItemRules(services, workspaceId, namesOf('queue')) : undefined,
    errorWorkflows: await errorWorkflowsAmong(services.database, workspaceId, { ids }),
  };
}

async function knownOf(
  { database }: Services,
  caller: Caller,
  { projectId, all, agents }: { projectId: string; all: readonly GivenResource[]; agents: readonly GivenResource[] },
): Promise<Map<string, KnownId>> {
  const idsIn = (list: string) => [...new Set(agents.flatMap(({ body }) => textsIn(body[list])))];
  const used = agents.flatMap(({ body, stored }) => [
    ...textsIn([body.aiConnectionId ?? null]),
    ...[body.tools, body.mcpServers].flatMap((list) =>
      Array.isArray(list)
        ? list.flatMap((each) => (isJsonObject(each) ? textsIn([each.connectionId ?? null]) : []))
        : [],
    ),
    ...textsIn(stored?.fields.objectIds),
  ]);
  const named = {
    connectionIds: [...idsIn('connectionIds'), ...used],
    workflowIds: idsIn('workflowIds'),
    subAgentIds: idsIn('subAgentIds'),
    knowledgeIds: idsIn('knowledgeIds'),
    objectIds: [...idsIn('objectIds'), ...used],
    objectTypeIds: idsIn('objectTypeIds'),
    variableIds: idsIn('variableIds'),
  };
  const known = new Map(await namedByAgent(database, caller, named, { projectId, slug: '' }));
  for (const [list, kind] of Object.entries(LISTS)) {
    for (const { id, slug, body } of all.filter((each) => each.kind === kind)) {
      known.set(`${list} ${id}`, { what: kind === 'workflow' ? triggerTypeOf(body) : null, slug });
    }
  }
  return known;
}

function triggerTypeOf({ trigger }: JsonObject): string {
  return isJsonObject(trigger) && typeof trigger.type === 'string' ? trigger.type : 'manual';
}

async function cyclicOf({ database }: Services, { workspaceId }: Caller, agents: readonly GivenResource[]) {
  const stored = await readSubAgents(database, workspaceId);
  const calls = new Map(stored.map(({ id, subAgentIds }) => [id, subAgentIds]));
  for (const { id, body } of agents)
    calls.set(
      id,
      textsIn(body.subAgentIds).map((each) => each.toLowerCase()),
    );
  return new Map(agents.map(({ id }) => [id, circularCalls(calls, id)]));
}

function textsIn(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string' && isUuid(each)) : [];
}
