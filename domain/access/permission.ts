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
  'apps:write',
  'workspace:admin',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ['owner', 'builder', 'operator', 'viewer', 'consumer'] as const;
export type Role = (typeof ROLES)[number];

/** Apps bring code and addresses that the actions of everybody use. */
const FOR_OWNERS: readonly Permission[] = ['apps:write', 'workspace:admin'];

/** Operators work on current executions, items and entities, not on what runs tomorrow or on access. */
const OPERATES: readonly Permission[] = ['executions:run', 'queues:write', 'objects:write', 'agents:use'];

/** Viewers see no credentials, variables, people or audit log. */
const VIEWS: readonly Permission[] = [
  'projects:read',
  'workflows:read',
  'executions:read',
  'queues:read',
  'agents:read',
  'knowledge:read',
  'objects:read',
];

/** Consumers can only use agents, and only those that a grant names. */
export const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: PERMISSIONS,
  builder: PERMISSIONS.filter((permission) => !FOR_OWNERS.includes(permission)),
  operator: PERMISSIONS.filter((permission) => permission.endsWith(':read') || OPERATES.includes(permission)),
  viewer: VIEWS,
  consumer: ['agents:use'],
};

/** Permissions to call an agent from a step or tool. `agents:use` alone needs a grant, within its cap and time. */
export const ASKS_AGENT = ['agents:use', 'agents:read'] as const satisfies readonly Permission[];

export function isPermission(text: string): text is Permission {
  return (PERMISSIONS as readonly string[]).includes(text);
}
