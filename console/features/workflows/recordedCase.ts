import { queryOptions } from '@tanstack/react-query';
import { YAML_STYLE } from '../../../domain/bundle/folders.ts';
import { recordedCase } from '../../../domain/case/recordedCase.ts';
import { client } from '../../app/session/session.ts';

const OFFERED = 20;

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

/** The file of tests that repeats an execution of a workflow, as YAML; what `perdure test --record` writes. */
export async function caseText({ id, slug }: { id: string; slug: string }, executionId: string): Promise<string> {
  const expansion = 'executionNumber,workflowVersion,status,startedAt,stoppedAt';
  const execution = await client.getExecution({ path: { executionId }, query: { expansion } });
  const { workflowVersion: version, status = '' } = execution;
  if (version == null) throw new Error(`Execution ${executionId} is of no version`);
  const record = await client.readExecutionRecord({ executionId, workflowId: id, version, status });
  const { stringify } = await import('yaml');
  return stringify(recordedCase({ slug, execution, ...record }), { ...YAML_STYLE, aliasDuplicateObjects: false });
}
