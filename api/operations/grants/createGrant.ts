import { Problem } from '../../../domain/problem.ts';
import { AGENT } from '../../../prisma/store/agent/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { insertGrant } from '../../../prisma/store/shareGrant/insertGrant.ts';
import { SHARE_GRANT } from '../../../prisma/store/shareGrant/resource.ts';
import { futureTime } from '../../access/futureTime.ts';
import type { Operation } from '../../operation.ts';

const DEFAULT_CAP = 60;

export const createGrant: Operation<'createGrant'> = async ({ caller, params, body, resourceId, services }) => {
  const { database } = services;
  const { agentId } = params;
  const { subject, hourlyMessageCap = DEFAULT_CAP, expiresAt } = body;
  await readResource(database, caller, AGENT, agentId, {});
  const grant = {
    id: resourceId,
    agentId,
    subject,
    hourlyMessageCap,
    expiresAt: futureTime('expiresAt', expiresAt),
  };
  if (!(await insertGrant(database, caller.workspaceId, grant))) {
    const what = subject.type === 'user' ? 'a member' : 'an API key';
    const message = `expected the id of ${what} of the workspace`;
    throw new Problem('VALIDATION_FAILED', `subject.id: ${message}`, { errors: [{ path: 'subject.id', message }] });
  }
  return readResource(database, caller, SHARE_GRANT, resourceId, { scope: { agentId } });
};
