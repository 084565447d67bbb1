import type { Role } from '../../domain/access/permission.ts';
import { Problem } from '../../domain/problem.ts';
import { readCurrentUser } from '../../prisma/store/user/readCurrentUser.ts';
import type { Services } from '../services.ts';
import type { Caller } from './caller.ts';
import type { PasswordOwner } from './passwordRules.ts';
import { provePassword } from './provePassword.ts';

export interface PersonRequest {
  caller: Caller;
  ip: string;
  signal: AbortSignal;
  services: Services;
}

export interface Person {
  userId: string;
  sessionId: string;
  email: string;
  name: string;
  workspaces: readonly { name: string; role: Role }[];
}

/** Throws FORBIDDEN for an API key. */
export async function personOf({ caller, services }: PersonRequest): Promise<Person> {
  if (caller.kind !== 'user')
    throw new Problem('FORBIDDEN', 'This operation is for people, not for API keys: send an access token');
  const found = await readCurrentUser(services.database, caller.workspaceId, caller.userId);
  if (!found) throw new Problem('UNAUTHENTICATED', 'You are no longer a member of the workspace');
  const { email, name, workspaces } = found;
  return { userId: caller.userId, sessionId: caller.sessionId, email, name, workspaces };
}

/** Returns the hash of the password. A wrong one counts as a failed login, so a stolen access token cannot guess. */
export async function requirePassword(
  { ip, signal, services }: PersonRequest,
  email: string,
  password: string,
  path = 'password',
): Promise<string | null> {
  const { passwordHash } = await provePassword({ email, password, ip, signal, services }, () => wrongPassword(path));
  return passwordHash;
}

export function passwordOwner({
  email,
  name,
  workspaces,
}: Pick<Person, 'email' | 'name' | 'workspaces'>): PasswordOwner {
  return {
    isOwner: workspaces.some(({ role }) => role === 'owner'),
    known: [email, name, ...workspaces.map((workspace) => workspace.name)],
  };
}

export function wrongPassword(path: string): Problem {
  return fieldProblem(path, 'expected your current password');
}

export function fieldProblem(path: string, message: string): Problem {
  return new Problem('VALIDATION_FAILED', `The ${path} is wrong`, { errors: [{ path, message }] });
}
