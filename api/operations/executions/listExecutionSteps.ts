import { listSteps } from '../../../prisma/store/execution/listSteps.ts';
import { readLimitsOf } from '../../executions/readLimitsOf.ts';
import { withIcon } from '../../executions/withIcons.ts';
import { type Operation, Page } from '../../operation.ts';

export const listExecutionSteps: Operation<'listExecutionSteps'> = async ({ caller, params, query, services }) => {
  const { config, database, catalogue } = services;
  const limits = readLimitsOf(config);
  const { items, nextCursor } = await listSteps(database, caller.workspaceId, params.executionId, query, limits);
  return new Page(
    items.map((item) => withIcon(catalogue, item)),
    nextCursor,
  );
};
