import { Problem } from '../../../domain/problem.ts';
import { writeAcknowledgement } from '../../../prisma/store/execution/acknowledgement.ts';
import { EXECUTION } from '../../../prisma/store/execution/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { type Caller, credentialOf } from '../../access/caller.ts';
import { bulk } from '../../executions/bulk.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';

export const acknowledgeExecution: Operation<'acknowledgeExecution'> = ({ caller, params, body, services }) =>
  acknowledge(services, caller, params.executionId, body?.note);

export const bulkAcknowledgeExecutions: Operation<'bulkAcknowledgeExecutions'> = ({ caller, body, services }) => {
  const { note, ...filter } = body;
  return bulk({
    services,
    viewer: caller,
    filter,
    target: 'unacknowledged',
    act: (executionId) => acknowledge(services, caller, executionId, note),
  });
};

async function acknowledge(services: Services, caller: Caller, executionId: string, note: string | undefined) {
  const { database } = services;
  await writeAcknowledgement(database, caller.workspaceId, executionId, {
    by: credentialOf(caller),
    note: note?.trim() || null,
  });
  const query = { expansion: 'status,acknowledged' };
  const { status, acknowledged } = await readResource(database, caller, EXECUTION, executionId, { query });
  if (acknowledged === null) {
    throw new Problem('CONFLICT', `The execution is ${status}: only a failure can be acknowledged`);
  }
  return { executionId, acknowledged };
}
