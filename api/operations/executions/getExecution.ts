import { executionResource } from '../../../prisma/store/execution/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { readLimitsOf } from '../../executions/readLimitsOf.ts';
import { withIcons } from '../../executions/withIcons.ts';
import type { Operation } from '../../operation.ts';

export const getExecution: Operation<'getExecution'> = async ({ caller, params, query, services }) => {
  const { config, database, catalogue } = services;
  const resource = executionResource(readLimitsOf(config));
  const execution = await readResource(database, caller.workspaceId, resource, params.executionId, query.expansion);
  if (execution.executionPath === undefined) return execution;
  return { ...execution, executionPath: withIcons(catalogue, execution.executionPath) };
};
