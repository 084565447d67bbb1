import type { Permission } from '../../domain/access/permission.ts';

/** The authenticated caller. Every store function gets `workspaceId` first. */
export type Caller = { workspaceId: string; permissions: ReadonlySet<Permission> } & (
  | { kind: 'user'; userId: string; sessionId: string }
  /** `keyHash`: of the secret that was sent; a key has two for a while after a rotation. */
  | { kind: 'apiKey'; apiKeyId: string; keyHash: Uint8Array }
);
