import { countByStatus } from '../../../prisma/store/execution/countByStatus.ts';
import { listQuestions } from '../../../prisma/store/execution/listQuestions.ts';
import { listSteps } from '../../../prisma/store/execution/listSteps.ts';
import { readOutput, readStep, readStepValue } from '../../../prisma/store/execution/readStep.ts';
import { EXECUTION } from '../../../prisma/store/execution/resource.ts';
import { readInput } from '../../../prisma/store/execution/shownInput.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { readLimitsOf } from '../../executions/readLimitsOf.ts';
import { withIcon } from '../../executions/withIcons.ts';
import { EventStream, type Operation, Page } from '../../operation.ts';

export const listExecutionSteps: Operation<'listExecutionSteps'> = async ({ caller, params, query, services }) => {
  const { config, database, catalogue } = services;
  const limits = readLimitsOf(config);
  const { items, nextCursor } = await listSteps(database, caller.workspaceId, params.executionId, query, limits);
  return new Page(
    items.map((item) => withIcon(catalogue, item)),
    nextCursor,
  );
};

export const listPendingInputs: Operation<'listPendingInputs'> = async ({ caller, query, services }) => {
  const { items, nextCursor } = await listQuestions(services.database, caller, query, services.config.MAX_ANSWER_BYTES);
  return new Page(items, nextCursor);
};

export const getExecutionStep: Operation<'getExecutionStep'> = async ({ caller, params, services }) => {
  const { config, database, catalogue } = services;
  const { executionId, stepId } = params;
  const step = await readStep(database, caller.workspaceId, executionId, stepId, readLimitsOf(config));
  return withIcon(catalogue, step);
};

export const getExecutionStepInput: Operation<'getExecutionStepInput'> = ({ caller, params, services }) =>
  readStepValue(services.database, caller.workspaceId, params.executionId, params.stepId, 'input');

export const getExecutionStepOutput: Operation<'getExecutionStepOutput'> = ({ caller, params, services }) =>
  readStepValue(services.database, caller.workspaceId, params.executionId, params.stepId, 'output');

export const getExecutionOutput: Operation<'getExecutionOutput'> = ({ caller, params, services }) =>
  readOutput(services.database, caller.workspaceId, params.executionId);

export const getExecutionInput: Operation<'getExecutionInput'> = ({ caller, params, services }) =>
  readInput(services.database, caller.workspaceId, params.executionId);

export const countExecutions: Operation<'countExecutions'> = ({ caller, query, services }) =>
  countByStatus(services.database, caller, query, services.config.EXECUTION_COUNT_MAX);

export const streamExecution: Operation<'streamExecution'> = async ({ caller, params, headers, signal, services }) => {
  const { executionId } = params;
  const lastRevision = Number.parseInt(headers['last-event-id'] ?? '', 10);
  const stream = await services.followers.follow(
    caller.workspaceId,
    executionId,
    Number.isNaN(lastRevision) ? undefined : lastRevision,
    signal,
  );
  if (!stream) throw notFound(EXECUTION);
  return new EventStream(stream);
};
