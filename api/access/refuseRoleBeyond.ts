import { ROLE_PERMISSIONS, type Role } from '../../domain/access/permission.ts';
import { Problem } from '../../domain/problem.ts';
import type { Caller } from '../operation.ts';

/** Throws FORBIDDEN for a role with permissions that the caller lacks: nobody gives what they do not have. */
export function refuseRoleBeyond({ permissions }: Pick<Caller, 'permissions'>, role: Role): void {
  const beyond = ROLE_PERMISSIONS[role].filter((permission) => !permissions.has(permission));
  if (beyond.length === 0) return;
  throw new Problem('FORBIDDEN', `You cannot give the role ${role}: you do not have ${beyond.join(', ')}`);
}
