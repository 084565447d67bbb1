import { YAML_STYLE } from '../domain/bundle/folders.ts';
import { recordedCase } from '../domain/case/recordedCase.ts';
import { Ended, EXIT, hasEnded } from './exitCode.ts';
import type { Place } from './place.ts';

const SHOWN = 'executionNumber,workflow,workflowVersion,status,startedAt,stoppedAt';

/** A file with one case that repeats an execution, as YAML. Ends with 4 where it has not come to an end. */
export async function recordCase({ client }: Place, executionId: string): Promise<string> {
  const execution = await client.getExecution({ path: { executionId }, query: { expansion: SHOWN } });
  const { workflow, workflowVersion: version, status = '' } = execution;
  if (!workflow || version == null) throw new Ended(EXIT.blocked, 'A case is of a workflow; this was an ad-hoc run');
  if (!hasEnded(status) && status !== 'NEEDS_INPUT')
    throw new Ended(EXIT.blocked, `The execution goes on: it is ${status}`);
  const [{ slug }, record] = await Promise.all([
    client.getWorkflow({ path: { workflowId: workflow.id }, query: { expansion: 'slug' } }),
    client.readExecutionRecord({ executionId, workflowId: workflow.id, version, status }),
  ]);
  const { stringify } = await import('yaml');
  return stringify(recordedCase({ slug, execution, ...record }), { ...YAML_STYLE, aliasDuplicateObjects: false });
}
