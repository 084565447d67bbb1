import { ROLE_PERMISSIONS, type Role } from '../../../domain/access/permission.ts';
import { Problem } from '../../../domain/problem.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { removeSecondFactor } from '../../../prisma/store/secondFactor/secondFactors.ts';
import { WORKSPACE_USER } from '../../../prisma/store/workspaceUser/resource.ts';
import {
  isOfOthersToo,
  removeWorkspaceUser as remove,
  revokeLogins,
  setRole,
} from '../../../prisma/store/workspaceUser/workspaceUsers.ts';
import { refuseBeyond } from '../../access/authorize.ts';
import { invite } from '../../access/invitation.ts';
import { refusePasswordLogin } from '../../access/sso/passwordLogins.ts';
import type { Operation } from '../../operation.ts';

const LAST_OWNER = 'The person is the last owner of the workspace: give somebody else the role owner first';

export const updateWorkspaceUser: Operation<'updateWorkspaceUser'> = async ({ caller, params, body, services }) => {
  const { database } = services;
  const { userId } = params;
  const role = body?.role;
  if (role !== undefined) {
    refuseBeyond(caller, ROLE_PERMISSIONS[role]);
    if (!(await setRole(database, caller.workspaceId, userId, role))) {
      await readResource(database, caller, WORKSPACE_USER, userId);
      throw new Problem('CONFLICT', LAST_OWNER);
    }
  }
  return readResource(database, caller, WORKSPACE_USER, userId);
};

export const removeWorkspaceUser: Operation<'removeWorkspaceUser'> = async ({ caller, params, query, services }) => {
  const { database } = services;
  const { userId } = params;
  const revokeKeys = query.apiKeys === 'revoke';
  if (!(await remove(database, caller.workspaceId, userId, { revokeKeys }))) {
    await readResource(database, caller, WORKSPACE_USER, userId);
    throw new Problem('CONFLICT', LAST_OWNER);
  }
  return { id: userId, deleted: true };
};

/** For a person who lost the invitation or the password: voids both. */
export const renewInvitation: Operation<'renewInvitation'> = async ({ caller, params, services }) => {
  const { database, config } = services;
  const { userId } = params;
  const { email, role } = await readResource(database, caller, WORKSPACE_USER, userId);
  refuseBeyond(caller, ROLE_PERMISSIONS[role as Role]);
  refusePasswordLogin(config, String(email));
  if (!(await revokeLogins(database, caller.workspaceId, userId))) {
    throw new Problem(
      'CONFLICT',
      'The account also opens other workspaces of this person: ask the operator to set the password',
    );
  }
  return invite(services, caller.workspaceId, { userId, email: String(email) });
};

export const resetSecondFactor: Operation<'resetSecondFactor'> = async ({ caller, params, services }) => {
  const { database } = services;
  const { userId } = params;
  const { role } = await readResource(database, caller, WORKSPACE_USER, userId);
  refuseBeyond(caller, ROLE_PERMISSIONS[role as Role]);
  if (await isOfOthersToo(database, caller.workspaceId, userId)) {
    throw new Problem(
      'CONFLICT',
      'The person is a member of other workspaces too: ask the operator to reset the second factor',
    );
  }
  await removeSecondFactor(database, userId);
  return readResource(database, caller, WORKSPACE_USER, userId);
};
