import { RESOURCES } from '../../prisma/store/resourceTables.ts';
import type { Route } from '../openapi.ts';
import { Answer } from '../operation.ts';
import { paramOf } from '../resources/resourceRequest.ts';

/** Operations that change nothing, or that hold a lease which the item's history records. */
const NO_ACTS = new Set([
  // Its tool calls are operations with entries of their own.
  'callMcp',
  'searchKnowledge',
  'validateWorkflow',
  'loadOptions',
  'claimQueueItems',
  'heartbeatQueueItem',
  // Every client repeats it every few minutes; the start of its session has an entry.
  'refreshToken',
]);

/** The resource type of operations under a path; the first match wins. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/^\/api\/users\/me\/sessions/, 'session'],
  [/^\/api\/users\/me\/invitations/, 'invitation'],
  // A login is about a user, since its session does not exist yet.
  [/^\/api\/auth\/(login|2fa|sso)/, 'workspaceUser'],
  [/^\/api\/auth\//, 'session'],
  [/^\/api\/(users\/me|workspace\/users)/, 'workspaceUser'],
  [/^\/api\/api-keys/, 'apiKey'],
  [/^\/api\/agents\/\{agentId\}\/grants/, 'grant'],
  [/^\/api\/(agents\/\{agentId\}\/)?tasks/, 'task'],
  [/^\/api\/(projects\/\{projectId\}\/)?agents/, 'agent'],
  [/^\/api\/projects\/\{projectId\}\/workflows\/\{slug\}\/execute/, 'execution'],
  [/^\/api\/(projects\/\{projectId\}\/)?apps/, 'app'],
  [/^\/api\/(projects\/\{projectId\}\/)?workflows/, 'workflow'],
  [/^\/api\/projects/, 'project'],
  [/^\/api\/(workflow-apps|connections)/, 'connection'],
  [/^\/api\/(actions|runs|executions|pending-inputs|webhooks)/, 'execution'],
  [/^\/api\/variables/, 'variable'],
  [/^\/api\/object-types/, 'objectType'],
  [/^\/api\/objects\/\{objectId\}\/queue-items/, 'queueItem'],
  [/^\/api\/objects/, 'object'],
  [/^\/api\/knowledge\/\{knowledgeId\}\/documents/, 'knowledgeDocument'],
  [/^\/api\/knowledge/, 'knowledge'],
  [/^\/api\/queues\/\{queueId\}\/items/, 'queueItem'],
  [/^\/api\/queues/, 'queue'],
  [/^\/api\/event-subscriptions/, 'eventSubscription'],
  [/^\/api\/audit-log/, 'auditEntry'],
  [/^\/api\/(workflow-apps|discovery)/, 'deployment'],
  [/^\/(api\/stream|mcp)/, 'workspace'],
];

/** Whether an operation has an entry of its own; others have one for refusals. */
export function isAct({ method, operationId }: Pick<Route, 'method' | 'operationId'>): boolean {
  return method !== 'get' && !NO_ACTS.has(operationId);
}

export function resourceTypeOf({ path }: Pick<Route, 'path'>): string {
  const type = TYPES.find(([pattern]) => pattern.test(path))?.[1];
  if (type === undefined) throw new Error(`TYPES in api/audit/audited.ts has no resource type for ${path}`);
  return type;
}

/** Id of the resource in the path, or null. An app's connection type uses the name of a connection's id. */
export function namedIn(
  route: Pick<Route, 'path' | 'rowIds'>,
  params: Readonly<Record<string, string>>,
): string | null {
  const resource = RESOURCES.get(resourceTypeOf(route));
  if (!resource) return null;
  const name = paramOf(resource);
  return resource.hasChosenIds || route.rowIds.includes(name) ? (params[name] ?? null) : null;
}

export function madeBy(value: unknown): string | null {
  const answered = value instanceof Answer ? value.body : value;
  if (typeof answered !== 'object' || answered === null) return null;
  const { id, executionId } = answered as { id?: unknown; executionId?: unknown };
  const made = id ?? executionId;
  return typeof made === 'string' ? made : null;
}
