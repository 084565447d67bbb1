import type { Permission } from './permission.ts';

/** A resource may restrict a workspace's rows to one user or key. An execution acts through its actions. */
export type Viewer = { workspaceId: string; permissions: ReadonlySet<Permission> } & (
  | { kind: 'user'; userId: string }
  | { kind: 'apiKey'; apiKeyId: string }
  | { kind: 'execution'; executionId: string }
);

/** Such a caller sees only its own tasks and the agents that a valid grant names. */
export function isGrantOnly({ permissions }: { permissions: ReadonlySet<Permission> }): boolean {
  return permissions.has('agents:use') && !permissions.has('agents:read');
}
