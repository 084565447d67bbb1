import type { Permission } from './permission.ts';

/**
 * The reader or writer of rows. Rows belong to the workspace, and a resource may narrow them to the person or the key.
 * An execution acts through the actions of its workflow.
 */
export type Viewer = { workspaceId: string; permissions: ReadonlySet<Permission> } & (
  | { kind: 'user'; userId: string }
  | { kind: 'apiKey'; apiKeyId: string }
  | { kind: 'execution'; executionId: string }
);

/**
 * A caller that may use agents without reading all: it sees agents that a live grant names, and its own tasks.
 */
export function isGrantOnly({ permissions }: { permissions: ReadonlySet<Permission> }): boolean {
  return permissions.has('agents:use') && !permissions.has('agents:read');
}
