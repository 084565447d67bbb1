import type { Permission } from './permission.ts';

/** Who uses agents without reading all of them: those that a live grant names, and tasks of their own (decisions.md 2). */
export function isGrantOnly({ permissions }: { permissions: ReadonlySet<Permission> }): boolean {
  return permissions.has('agents:use') && !permissions.has('agents:read');
}
