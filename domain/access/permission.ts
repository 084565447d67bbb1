export const PERMISSIONS = [
  'projects:read',
  'projects:write',
  'workflows:read',
  'workflows:write',
  'executions:read',
  'executions:run',
  'connections:read',
  'connections:write',
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

export const ROLES = ['owner', 'builder', 'consumer'] as const;
export type Role = (typeof ROLES)[number];

/** A consumer can only use agents, and only agents that a share grant names (decisions.md 2). */
export const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: PERMISSIONS,
  builder: PERMISSIONS.filter((permission) => permission !== 'workspace:admin'),
  consumer: ['agents:use'],
};

export function isPermission(text: string): text is Permission {
  return (PERMISSIONS as readonly string[]).includes(text);
}
