import { queryOptions } from '@tanstack/react-query';
import { withLeftOut } from '../../../app/api/leftOut.ts';
import { client } from '../../../app/session/session.ts';
import { type ExecutionWhole, LARGE, WHOLE } from './executions.ts';

/** What the answer has without being asked. */
type Unasked = 'id' | 'stepsLeftOut' | `${string}Link` | `${string}Bytes`;

/** All else that can be asked of one execution: the compiler misses a field that the contract gets. */
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

/** The whole answer. What is too large for it stands there as a link. */
export function wholeExecution(executionId: string) {
  return queryOptions({
    queryKey: ['getExecution', executionId, 'everything'],
    queryFn: async ({ signal }) => {
      const read = (expansion: string) => client.getExecution({ path: { executionId }, query: { expansion }, signal });
      return withLeftOut(await read(EVERYTHING), [...LARGE, 'executionVariables', 'childExecutions'], read);
    },
  });
}
