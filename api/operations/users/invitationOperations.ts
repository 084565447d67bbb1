import { Problem } from '../../../domain/problem.ts';
import {
  acceptInvitation as accept,
  declineInvitation as decline,
} from '../../../prisma/store/invitation/acceptInvitation.ts';
import { readOwnInvitations } from '../../../prisma/store/invitation/ownInvitations.ts';
import { pageOfAll } from '../../../prisma/store/pageOfAll.ts';
import { isMember, removeWorkspaceUser } from '../../../prisma/store/workspaceUser/workspaceUsers.ts';
import { type Operation, Page } from '../../operation.ts';

export const listInvitations: Operation<'listInvitations'> = async ({ caller, query, services: { database } }) => {
  const all = caller.kind === 'user' ? await readOwnInvitations(database, caller.userId) : [];
  const { items, nextCursor } = pageOfAll('invitations', all, ({ id }) => id, query);
  return new Page(items, nextCursor);
};

export const acceptInvitation: Operation<'acceptInvitation'> = async (request) => {
  const { caller, params, auditDetails, services } = request;
  const id = params.invitationId;
  const accepted = caller.kind === 'user' ? await accept(services.database, caller.userId, { id }) : undefined;
  if (!accepted) throw unknownInvitation();
  auditDetails.workspaceId = accepted.workspace.id;
  return accepted;
};

export const declineInvitation: Operation<'declineInvitation'> = async ({ caller, params, services: { database } }) => {
  const id = params.invitationId;
  if (caller.kind !== 'user' || !(await decline(database, caller.userId, id))) throw unknownInvitation();
  return { id, deleted: true };
};

export const leaveWorkspace: Operation<'leaveWorkspace'> = async (request) => {
  const { caller, params, query, auditDetails, services } = request;
  const { database } = services;
  const { workspaceId } = params;
  if (caller.kind !== 'user') throw unknownWorkspace();
  const { userId } = caller;
  if (!(await removeWorkspaceUser(database, workspaceId, userId, { revokeKeys: query.apiKeys === 'revoke' }))) {
    if (!(await isMember(database, workspaceId, userId))) throw unknownWorkspace();
    throw new Problem('CONFLICT', 'You are the last owner of the workspace: make somebody else an owner first');
  }
  auditDetails.workspaceId = workspaceId;
  return { id: workspaceId, deleted: true };
};

function unknownInvitation(): Problem {
  return new Problem('NOT_FOUND', 'The invitation does not exist');
}

function unknownWorkspace(): Problem {
  return new Problem('NOT_FOUND', 'The workspace does not exist');
}
