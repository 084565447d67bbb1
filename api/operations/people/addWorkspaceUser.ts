import { ROLE_PERMISSIONS } from '../../../domain/access/permission.ts';
import { Problem } from '../../../domain/problem.ts';
import { insertInvitation } from '../../../prisma/store/invitation/writeInvitation.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { WORKSPACE_USER } from '../../../prisma/store/workspaceUser/resource.ts';
import { refuseBeyond } from '../../access/authorize.ts';
import { userIdOf } from '../../access/caller.ts';
import { requireConfirmation } from '../../access/confirmation.ts';
import { readEmail } from '../../access/email.ts';
import { makeInvitationWay } from '../../access/invitation.ts';
import type { Operation } from '../../operation.ts';

/** The statements and the answer are the same whether or not the address has an account. */
export const addWorkspaceUser: Operation<'addWorkspaceUser'> = async (request) => {
  const { caller, body, resourceId, isRepeated, services } = request;
  const { database } = services;
  const { role } = body;
  refuseBeyond(caller, ROLE_PERMISSIONS[role]);
  if (role === 'owner') await requireConfirmation(services, caller);
  const email = readEmail(body.email);
  const name = body.name ?? email.slice(0, email.lastIndexOf('@'));
  const { way, shown } = await makeInvitationWay(services, caller.workspaceId, email);
  const invitedByUserId = userIdOf(caller);
  const invitation = { id: resourceId, email, name, role, invitedByUserId, isRepeated, ...way };
  const inserted = await insertInvitation(database, caller.workspaceId, invitation);
  if (inserted.outcome === 'isMember') throw new Problem('CONFLICT', 'The person is already a member of the workspace');
  if (inserted.outcome === 'isInvited') {
    throw new Problem('CONFLICT', 'The address is already invited to the workspace: invite it again by its id');
  }
  return { ...(await readResource(database, caller, WORKSPACE_USER, inserted.id)), invitation: shown };
};
