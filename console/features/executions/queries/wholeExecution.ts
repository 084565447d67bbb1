import { queryOptions } from '@tanstack/react-query';
import { withLeftOut } from '../../../app/api/leftOut.ts';
import { client } from '../../../app/session/session.ts';
import { type ExecutionWhole, LARGE, WHOLE } from './executions.ts';

/** Fields that the API answers without `expansion`. */
type Unasked = 'id' | 'stepsLeftOut' | `${string}Link` | `${string}Bytes`;

/** All other fields of an execution. A new field of the contract fails the type check until it is listed. */
const REST: Record<Exclude<keyof ExecutionWhole, (typeof WHOLE)[number] | Unasked>, true> = {
  createdAt: true,
  updatedAt: true,
  source: true,
  project: true,
  workspace: true,
  retryingSteps: true,
  cancelRequestedAt: true,
  executionVariables: true,
  childExecutions: true,
  failureOf: true,
  failureHandling: true,
};
const EVERYTHING = [...WHOLE, ...Object.keys(REST)].join(',');

export function wholeExecution(executionId: string) {
  return queryOptions({
    queryKey: ['getExecution', executionId, 'everything'],
    queryFn: async ({ signal }) => {
      const read = (expansion: string) => client.getExecution({ path: { executionId }, query: { expansion }, signal });
      return withLeftOut(await read(EVERYTHING), [...LARGE, 'executionVariables', 'childExecutions'], read);
    },
  });
}
