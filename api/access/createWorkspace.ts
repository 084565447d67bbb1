import { v7 } from 'uuid';
import { PERMISSIONS } from '../../domain/access/permission.ts';
import type { Database } from '../../prisma/client.ts';
import type { Claim } from '../../prisma/store/user/claimAddress.ts';
import { insertWorkspace } from '../../prisma/store/workspace/workspaces.ts';
import { makeApiKey } from './apiKey.ts';
import { readEmail } from './email.ts';
import { type HashCost, hashPassword, makePassword } from './password.ts';

export interface WorkspaceCredentials {
  /** Has all permissions; shown only here. */
  apiKey: string;
  email: string;
  /** Null if a user had already verified this e-mail address: their password is unknown and unchanged. */
  password: string | null;
  /** A workspace had named the address, but nobody had verified it: all earlier logins are void. */
  takenOver?: true;
  workspaceId: string;
  projectId: string;
}

/** Creates a workspace with its owner, who keeps a verified account, a project, and an API key with all permissions. */
export async function createWorkspace(
  database: Database,
  input: { name: string; email: string; password?: string },
  cost?: HashCost,
): Promise<WorkspaceCredentials> {
  const email = readEmail(input.email);
  const password = input.password ?? makePassword();
  const { key, hash, prefix } = makeApiKey();
  const workspaceId = v7();
  const projectId = v7();
  const userId = v7();
  const claim = await insertWorkspace(database, workspaceId, {
    name: input.name,
    owner: { id: userId, email, name: email.split('@')[0] ?? email, passwordHash: await hashPassword(password, cost) },
    project: { id: projectId, name: 'First project' },
    apiKey: { id: v7(), name: 'First key', hash, prefix, permissions: PERMISSIONS },
  });
  return { apiKey: key, email, ...passwordAfter(claim, password), workspaceId, projectId };
}

export function passwordAfter(claim: Claim, password: string): { password: string | null; takenOver?: true } {
  if (claim === 'known') return { password: null };
  return claim === 'takenOver' ? { password, takenOver: true } : { password };
}
