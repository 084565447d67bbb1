import { readStepValue } from '../../../prisma/store/execution/readStep.ts';
import type { Operation } from '../../operation.ts';

export const getExecutionStepInput: Operation<'getExecutionStepInput'> = ({ caller, params, services }) =>
  readStepValue(services.database, caller.workspaceId, params.executionId, params.stepId, 'input');
