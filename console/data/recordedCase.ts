import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { YAML_STYLE } from '../../domain/bundle/folders.ts';
import { recordedCase } from '../../domain/case/recordedCase.ts';
import { client } from '../session.ts';

type Step = Answer<'listExecutionSteps'>[number];

const OFFERED = 20;
const PAGE = 1_000;

/** The last executions of a workflow that have come to an end, or to a question: of the others nothing is known yet. */
export function recordable(workflowId: string) {
  const filterBy = `workflowId:${workflowId},status:COMPLETED|FAILED|CANCELLED|TIMED_OUT|NEEDS_INPUT`;
  return queryOptions({
    queryKey: ['listExecutions', 'recordable', workflowId],
    queryFn: ({ signal }) =>
      client.listExecutions({
        query: { filterBy, expansion: 'executionNumber,status,startedAt', limit: OFFERED },
        signal,
      }),
  });
}

/** The file of tests that repeats an execution, as YAML; what `perdure test --record` writes. */
export async function caseText(slug: string, executionId: string): Promise<string> {
  const path = { executionId };
  const expansion = 'executionNumber,workflow,workflowVersion,status,startedAt,stoppedAt';
  const execution = await client.getExecution({ path, query: { expansion } });
  const { workflow, workflowVersion, status } = execution;
  const [version, input, output, steps] = await Promise.all([
    client.getWorkflowVersion({ path: { workflowId: workflow?.id ?? '', version: String(workflowVersion) } }),
    client.getExecutionInput({ path }),
    status === 'COMPLETED' ? client.getExecutionOutput({ path }) : undefined,
    wholeSteps(executionId),
  ]);
  const { stringify } = await import('yaml');
  const file = recordedCase({ slug, execution, nodes: version.nodes ?? [], input, output, steps });
  return stringify(file, { ...YAML_STYLE, aliasDuplicateObjects: false });
}

/** All steps; inputs and outputs that are too large for a list are read one by one. */
async function wholeSteps(executionId: string): Promise<Step[]> {
  const whole: Step[] = [];
  for await (const step of client.paginate('listExecutionSteps', { path: { executionId }, query: { limit: PAGE } })) {
    const path = { executionId, stepId: step.id };
    const input = step.inputLink === undefined ? step.input : await client.getExecutionStepInput({ path });
    const output = step.outputLink === undefined ? step.output : await client.getExecutionStepOutput({ path });
    whole.push({ ...step, input, output });
  }
  return whole;
}
