import { loginSubjects } from '../../domain/access/loginLimit.ts';
import type { Role } from '../../domain/access/permission.ts';
import type { Problem } from '../../domain/problem.ts';
import { acceptInvitation, takeInvitation } from '../../prisma/store/invitation/acceptInvitation.ts';
import type { Link } from '../../prisma/store/loginToken/readLink.ts';
import { findAccount } from '../../prisma/store/user/users.ts';
import type { Services } from '../services.ts';
import { recordFailure, refuseBlocked } from './loginFailures.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { passwordProblem } from './passwordRules.ts';
import { passwordOwner } from './person.ts';
import { passPasswordTurnstile } from './provePassword.ts';

interface HandedInvitation {
  invitation: Link;
  tokenHash: Uint8Array<ArrayBuffer>;
  password: string;
  ip: string;
  signal: AbortSignal;
  services: Pick<Services, 'database' | 'config'>;
}

interface Taken {
  workspaceId: string;
  userId: string;
  role: Role;
  passwordHash: string;
  isProof: boolean;
  hasSecondFactor: boolean;
}

/**
 * Takes the password of the invitee's account, or with a new one. The admin may be probing for accounts, so both cases
 * do the same work and refuse with the same `refused`, counted as a failed login.
 */
export function takeHandedInvitation(request: HandedInvitation, refused: () => Problem): Promise<Taken> {
  const { invitation, tokenHash, password, ip, signal, services } = request;
  const { database, config } = services;
  const { email, name, role, workspace } = invitation;
  const subjects = loginSubjects(email, ip);
  return passPasswordTurnstile(ip, signal, async () => {
    await refuseBlocked(services, subjects);
    const account = await findAccount(database, email, workspace.id);
    const isTheirs = await verifyPassword(password, account?.passwordHash ?? undefined);
    const owner = passwordOwner({ email, name, workspaces: [{ name: workspace.name, role }] });
    const problem = await passwordProblem(password, owner, config, signal);
    if (account?.passwordHash && isTheirs) {
      const { userId, passwordHash, hasSecondFactor } = account;
      const accepted = await acceptInvitation(database, userId, { tokenHash });
      if (!accepted) throw refused();
      return { workspaceId: workspace.id, userId, role: accepted.role, passwordHash, isProof: true, hasSecondFactor };
    }
    if (account || problem !== undefined) {
      await recordFailure(services, subjects);
      throw refused();
    }
    const passwordHash = await hashPassword(password);
    const taken = await takeInvitation(database, tokenHash, passwordHash);
    if (!taken || taken.claim === 'known') throw refused();
    const { userId } = taken;
    return {
      workspaceId: workspace.id,
      userId,
      role: taken.role,
      passwordHash,
      isProof: false,
      hasSecondFactor: false,
    };
  });
}
