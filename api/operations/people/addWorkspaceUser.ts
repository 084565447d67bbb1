import { ROLE_PERMISSIONS } from '../../../domain/access/permission.ts';
import { Problem } from '../../../domain/problem.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { addWorkspaceUser as add } from '../../../prisma/store/workspaceUser/addWorkspaceUser.ts';
import { WORKSPACE_USER } from '../../../prisma/store/workspaceUser/resource.ts';
import { refuseBeyond } from '../../access/authorize.ts';
import { readEmail } from '../../access/email.ts';
import { invite } from '../../access/invitation.ts';
import { passwordLoginProblem } from '../../access/sso/passwordLogins.ts';
import type { Operation } from '../../operation.ts';

export const addWorkspaceUser: Operation<'addWorkspaceUser'> = async (request) => {
  const { caller, body, resourceId, isRepeated, services } = request;
  const { database, config } = services;
  const { role } = body;
  refuseBeyond(caller, ROLE_PERMISSIONS[role]);
  const email = readEmail(body.email);
  const name = body.name ?? email.slice(0, email.lastIndexOf('@'));
  const added = await add(database, caller.workspaceId, { id: resourceId, email, name, role });
  // A try before this one may have added somebody whom another workspace knew; it was not answered.
  if (added.outcome === 'alreadyMember' && !(isRepeated && added.hasRole))
    throw new Problem('CONFLICT', 'The person is a member of the workspace already');
  if (added.outcome === 'unproved') {
    throw new Problem(
      'CONFLICT',
      'Another workspace has invited this address, and the invitation is not accepted yet: ask the operator to add the person',
    );
  }
  const { userId } = added;
  const person = await readResource(database, caller, WORKSPACE_USER, userId);
  const isInvited = added.needsInvitation && passwordLoginProblem(config, email) === undefined;
  return { ...person, invitation: isInvited ? await invite(services, caller.workspaceId, { userId, email }) : null };
};
