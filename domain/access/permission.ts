export const PERMISSIONS = [
  'projects:read',
  'projects:write',
  'workflows:read',
  'workflows:write',
  'executions:read',
  'executions:run',
  'connections:read',
  'connections:write',
  'connections:use',
  'variables:read',
  'variables:write',
  'queues:read',
  'queues:write',
  'agents:read',
  'agents:write',
  'agents:use',
  'knowledge:read',
  'knowledge:write',
  'objects:read',
  'objects:write',
  'workspace:admin',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ['owner', 'builder', 'operator', 'viewer', 'consumer'] as const;
export type Role = (typeof ROLES)[number];

/** What an operator changes: the work at hand. Nothing that runs tomorrow, and nobody's access. */
const OPERATES: readonly Permission[] = ['executions:run', 'queues:write', 'objects:write', 'agents:use'];

/** What a viewer sees: no credentials, no variables, no people, no audit log. */
const VIEWS: readonly Permission[] = [
  'projects:read',
  'workflows:read',
  'executions:read',
  'queues:read',
  'agents:read',
  'knowledge:read',
  'objects:read',
];

/** A consumer can only use agents, and only agents that a share grant names. */
export const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: PERMISSIONS,
  builder: PERMISSIONS.filter((permission) => permission !== 'workspace:admin'),
  operator: PERMISSIONS.filter((permission) => permission.endsWith(':read') || OPERATES.includes(permission)),
  viewer: VIEWS,
  consumer: ['agents:use'],
};

/**
 * What a step or a tool needs that asks an agent. `agents:use` alone is the use of what a grant names: by oneself, under the
 * grant's cap and until its end (isGrantOnly). A step has none of these bounds, so it is not for those who have no more.
 */
export const ASKS_AGENT = ['agents:use', 'agents:read'] as const satisfies readonly Permission[];

export function isPermission(text: string): text is Permission {
  return (PERMISSIONS as readonly string[]).includes(text);
}
