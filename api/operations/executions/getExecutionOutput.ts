import { readOutput } from '../../../prisma/store/execution/readStep.ts';
import type { Operation } from '../../operation.ts';

export const getExecutionOutput: Operation<'getExecutionOutput'> = ({ caller, params, services }) =>
  readOutput(services.database, caller.workspaceId, params.executionId);
