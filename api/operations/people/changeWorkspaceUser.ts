import { ROLE_PERMISSIONS, type Role } from '../../../domain/access/permission.ts';
import { Problem } from '../../../domain/problem.ts';
import {
  renewInvitation as renew,
  setInvitedRole,
  withdrawInvitation,
} from '../../../prisma/store/invitation/writeInvitation.ts';
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
import { requireConfirmation } from '../../access/confirmation.ts';
import { inviteMember, makeInvitationWay } from '../../access/invitation.ts';
import { refusePasswordLogin } from '../../access/sso/passwordLogins.ts';
import type { Operation } from '../../operation.ts';

const LAST_OWNER = 'The person is the last owner of the workspace: make somebody else an owner first';

export const updateWorkspaceUser: Operation<'updateWorkspaceUser'> = async ({ caller, params, body, services }) => {
  const { database } = services;
  const { userId } = params;
  const role = body?.role;
  if (role !== undefined) {
    refuseBeyond(caller, ROLE_PERMISSIONS[role]);
    if (role === 'owner') await requireConfirmation(services, caller);
    const { workspaceId } = caller;
    const isSet =
      (await setRole(database, workspaceId, userId, role)) ||
      (await setInvitedRole(database, workspaceId, userId, role));
    if (!isSet) {
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
  const { workspaceId } = caller;
  const isGone =
    (await remove(database, workspaceId, userId, { revokeKeys })) ||
    (await withdrawInvitation(database, workspaceId, userId));
  if (!isGone) {
    await readResource(database, caller, WORKSPACE_USER, userId);
    throw new Problem('CONFLICT', LAST_OWNER);
  }
  return { id: userId, deleted: true };
};

/** Voids a lost invitation or password. An account with a verified address or other workspaces stays unchanged. */
export const renewInvitation: Operation<'renewInvitation'> = async ({ caller, params, services }) => {
  const { database, config } = services;
  const { userId } = params;
  const { workspaceId } = caller;
  const person = await readResource(database, caller, WORKSPACE_USER, userId);
  const email = String(person.email);
  refuseBeyond(caller, ROLE_PERMISSIONS[person.role as Role]);
  refusePasswordLogin(config, email);
  if (person.isInvited === true) {
    const { way, shown } = await makeInvitationWay(services, workspaceId, email);
    if (await renew(database, workspaceId, userId, way)) return shown;
    throw new Problem('CONFLICT', 'The person has an account of their own, and finds the invitation there');
  }
  if (!(await revokeLogins(database, workspaceId, userId))) {
    throw new Problem('CONFLICT', "The account is the person's own: ask the operator to set the password");
  }
  return inviteMember(services, workspaceId, { userId, email });
};

export const resetSecondFactor: Operation<'resetSecondFactor'> = async ({ caller, params, services }) => {
  const { database } = services;
  const { userId } = params;
  if (caller.kind !== 'user' || caller.userId !== userId) await requireConfirmation(services, caller);
  const { role, isInvited } = await readResource(database, caller, WORKSPACE_USER, userId);
  refuseBeyond(caller, ROLE_PERMISSIONS[role as Role]);
  if (isInvited === true) throw new Problem('CONFLICT', 'The person has not accepted the invitation yet');
  if (await isOfOthersToo(database, caller.workspaceId, userId)) {
    throw new Problem(
      'CONFLICT',
      'The person is a member of other workspaces too: ask the operator to reset the second factor',
    );
  }
  await removeSecondFactor(database, userId);
  return readResource(database, caller, WORKSPACE_USER, userId);
};
