import { Problem } from '../../../domain/problem.ts';
import {
  acceptInvitation as accept,
  declineInvitation as decline,
} from '../../../prisma/store/invitation/acceptInvitation.ts';
import { readOwnInvitations } from '../../../prisma/store/invitation/ownInvitations.ts';
import { pageOfAll } from '../../../prisma/store/pageOfAll.ts';
import { isMember, removeWorkspaceUser } from '../../../prisma/store/workspaceUser/workspaceUsers.ts';
import { personOf } from '../../access/person.ts';
import { type Operation, Page } from '../../operation.ts';

export const listInvitations: Operation<'listInvitations'> = async ({ query, ...request }) => {
  const { userId } = await personOf(request);
  const all = await readOwnInvitations(request.services.database, userId);
  const { items, nextCursor } = pageOfAll('invitations', all, ({ id }) => id, query);
  return new Page(items, nextCursor);
};

export const acceptInvitation: Operation<'acceptInvitation'> = async ({ params, auditDetails, ...request }) => {
  const { userId } = await personOf(request);
  const accepted = await accept(request.services.database, userId, { id: params.invitationId });
  if (!accepted) throw unknownInvitation();
  auditDetails.workspaceId = accepted.workspace.id;
  return accepted;
};

export const declineInvitation: Operation<'declineInvitation'> = async ({ params, ...request }) => {
  const { userId } = await personOf(request);
  if (!(await decline(request.services.database, userId, params.invitationId))) throw unknownInvitation();
  return { id: params.invitationId, deleted: true };
};

export const leaveWorkspace: Operation<'leaveWorkspace'> = async ({ params, query, auditDetails, ...request }) => {
  const { userId } = await personOf(request);
  const { database } = request.services;
  const { workspaceId } = params;
  const revokeKeys = query.apiKeys === 'revoke';
  if (!(await removeWorkspaceUser(database, workspaceId, userId, { revokeKeys }))) {
    if (!(await isMember(database, workspaceId, userId)))
      throw new Problem('NOT_FOUND', 'The workspace does not exist');
    throw new Problem('CONFLICT', 'You are the last owner of the workspace: give somebody else the role owner first');
  }
  auditDetails.workspaceId = workspaceId;
  return { id: workspaceId, deleted: true };
};

function unknownInvitation(): Problem {
  return new Problem('NOT_FOUND', 'The invitation does not exist');
}
