import type { Credential } from '../../domain/access/credential.ts';
import type { Permission } from '../../domain/access/permission.ts';
import type { StartedBy } from '../../domain/execution/startedBy.ts';

export type Caller = {
  workspaceId: string;
  permissions: ReadonlySet<Permission>;
  /** Counts the changes of the workspace's apps; 0 or absent: it has had none. */
  appsRevision?: number;
} & (
  | { kind: 'user'; userId: string; sessionId: string }
  /** `keyHash`: hash of the secret that was sent; a key has two for a while after a rotation. */
  | { kind: 'apiKey'; apiKeyId: string; keyHash: Uint8Array }
);

export function credentialOf(caller: Caller): Credential {
  return caller.kind === 'user' ? { type: 'user', id: caller.userId } : { type: 'apiKey', id: caller.apiKeyId };
}

export function userIdOf(caller: Caller): string | null {
  return caller.kind === 'user' ? caller.userId : null;
}

export function startedByCaller(caller: Caller): StartedBy {
  const by = credentialOf(caller);
  return { type: by.type, by };
}
