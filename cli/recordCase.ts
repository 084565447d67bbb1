import type { Perdure } from '#client';
import { YAML_STYLE } from '../domain/bundle/folders.ts';
import { recordedCase } from '../domain/case/recordedCase.ts';
import { Ended, EXIT, hasEnded } from './exitCode.ts';
import type { Place } from './place.ts';
import { rowsOf } from './rowsOf.ts';

type Step = Awaited<ReturnType<Perdure['listExecutionSteps']>>[number];

const SHOWN = 'executionNumber,workflow,workflowVersion,status,output,input,startedAt,stoppedAt';
const MOST_STEPS = 100_000;

/** A file with one case that repeats an execution, as YAML. Ends with 4 where it has not come to an end. */
export async function recordCase({ client }: Place, executionId: string): Promise<string> {
  const path = { executionId };
  const execution = await client.getExecution({ path, query: { expansion: SHOWN } });
  const { workflow, workflowVersion, status = '' } = execution;
  if (!workflow || workflowVersion == null)
    throw new Ended(EXIT.blocked, 'A case is of a workflow; this was an ad-hoc run');
  if (!hasEnded(status) && status !== 'NEEDS_INPUT')
    throw new Ended(EXIT.blocked, `The execution goes on: it is ${status}`);
  const [{ slug }, version, input, output] = await Promise.all([
    client.getWorkflow({ path: { workflowId: workflow.id }, query: { expansion: 'slug' } }),
    client.getWorkflowVersion({ path: { workflowId: workflow.id, version: String(workflowVersion) } }),
    client.getExecutionInput({ path }),
    status === 'COMPLETED' ? client.getExecutionOutput({ path }) : undefined,
  ]);
  const steps = await wholeSteps(
    client,
    executionId,
    await rowsOf(client.paginate('listExecutionSteps', { path }), MOST_STEPS),
  );
  const file = recordedCase({ slug, execution, nodes: version.nodes ?? [], input, output, steps });
  const { stringify } = await import('yaml');
  return stringify(file, { ...YAML_STYLE, aliasDuplicateObjects: false });
}

/** Inputs and outputs that are too large for a list are read one by one. */
async function wholeSteps(client: Perdure, executionId: string, steps: Step[]): Promise<Step[]> {
  const whole: Step[] = [];
  for (const step of steps) {
    const path = { executionId, stepId: step.id };
    const input = step.inputLink === undefined ? step.input : await client.getExecutionStepInput({ path });
    const output = step.outputLink === undefined ? step.output : await client.getExecutionStepOutput({ path });
    whole.push({ ...step, input, output });
  }
  return whole;
}
