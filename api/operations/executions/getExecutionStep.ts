import { readStep } from '../../../prisma/store/execution/readStep.ts';
import { readLimitsOf } from '../../executions/readLimitsOf.ts';
import { withIcon } from '../../executions/withIcons.ts';
import type { Operation } from '../../operation.ts';

export const getExecutionStep: Operation<'getExecutionStep'> = async ({ caller, params, services }) => {
  const { config, database, catalogue } = services;
  const { executionId, stepId } = params;
  const step = await readStep(database, caller.workspaceId, executionId, stepId, readLimitsOf(config));
  return withIcon(catalogue, step);
};
