import type { Permission } from '../../domain/access/permission.ts';

/** The authenticated caller. Every store function gets `workspaceId` first. */
export type Caller = { workspaceId: string; permissions: ReadonlySet<Permission> } & (
  | { kind: 'user'; userId: string; sessionId: string }
  | { kind: 'apiKey'; apiKeyId: string }
);
