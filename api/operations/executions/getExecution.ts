import { EXECUTION } from '../../../prisma/store/execution/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { withIcons } from '../../executions/withIcons.ts';
import type { Operation } from '../../operation.ts';

export const getExecution: Operation<'getExecution'> = async ({ caller, params, query, services }) => {
  const { database, catalogue } = services;
  const execution = await readResource(database, caller.workspaceId, EXECUTION, params.executionId, query.expansion);
  if (execution.executionPath === undefined) return execution;
  return { ...execution, executionPath: withIcons(catalogue, execution.executionPath) };
};
