import { v7 } from 'uuid';
import { PERMISSIONS } from '../../domain/access/permission.ts';
import type { Database } from '../../prisma/client.ts';
import type { Claim } from '../../prisma/store/user/claimAddress.ts';
import { insertWorkspace } from '../../prisma/store/workspace/workspaces.ts';
import { makeApiKey } from './apiKey.ts';
import { readEmail } from './email.ts';
import { type HashCost, hashPassword, makePassword } from './password.ts';

export interface WorkspaceCredentials {
  /** With all permissions; shown here and never again. */
  apiKey: string;
  email: string;
  /** Null when a person of this e-mail was there already, and had shown that it is theirs: their password stays and is not known. */
  password: string | null;
  /** A workspace had named the address, and nobody had shown that it is theirs: all logins of before are void. */
  takenOver?: true;
  workspaceId: string;
  projectId: string;
}

/**
 * A workspace with its owner, first project and an API key of all permissions. Without a password one is made.
 * Someone who has shown already that the e-mail address is theirs joins as owner, and then the given password is not used.
 */
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

/** What an answer to the operator says of the password that came with a claim of an address. */
export function passwordAfter(claim: Claim, password: string): { password: string | null; takenOver?: true } {
  if (claim === 'known') return { password: null };
  return claim === 'takenOver' ? { password, takenOver: true } : { password };
}
