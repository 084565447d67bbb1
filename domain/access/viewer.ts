import type { Permission } from './permission.ts';

/**
 * Who reads or changes rows: they are of the workspace, and a resource may narrow them to the person or the key. An execution
 * acts by the actions of its workflow.
 */
export type Viewer = { workspaceId: string; permissions: ReadonlySet<Permission> } & (
  | { kind: 'user'; userId: string }
  | { kind: 'apiKey'; apiKeyId: string }
  | { kind: 'execution'; executionId: string }
);

/** Who uses agents without reading all of them: those that a live grant names, and tasks of their own (decisions.md 2). */
export function isGrantOnly({ permissions }: { permissions: ReadonlySet<Permission> }): boolean {
  return permissions.has('agents:use') && !permissions.has('agents:read');
}
