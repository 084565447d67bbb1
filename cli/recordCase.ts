import { YAML_STYLE } from '../domain/bundle/folders.ts';
import { recordedCase } from '../domain/case/recordedCase.ts';
import { Ended, EXIT, hasEnded } from './exitCode.ts';
import type { Place } from './place.ts';

const SHOWN = 'executionNumber,workflow,workflowVersion,status,startedAt,stoppedAt';

/** Writes a YAML file with one case that repeats an execution. Exits with 4 if the execution has not ended. */
export async function recordCase({ client }: Place, executionId: string): Promise<string> {
  const execution = await client.getExecution({ path: { executionId }, query: { expansion: SHOWN } });
  const { workflow, workflowVersion: version, status = '' } = execution;
  if (!workflow || version == null) throw new Ended(EXIT.blocked, 'An ad-hoc run has no workflow to write a case for');
  if (!hasEnded(status) && status !== 'NEEDS_INPUT')
    throw new Ended(EXIT.blocked, `The execution is still running: it is ${status}`);
  const [{ slug }, record] = await Promise.all([
    client.getWorkflow({ path: { workflowId: workflow.id }, query: { expansion: 'slug' } }),
    client.readExecutionRecord({ executionId, workflowId: workflow.id, version, status }),
  ]);
  const { stringify } = await import('yaml');
  return stringify(recordedCase({ slug, execution, ...record }), { ...YAML_STYLE, aliasDuplicateObjects: false });
}
