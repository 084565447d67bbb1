import type { Answer, Methods } from './operationTypes.ts';
import { paginate } from './pages.ts';
import type { Send } from './transport.ts';

type Step = Answer<'listExecutionSteps'>[number];

type Reads = Pick<
  Methods,
  'getWorkflowVersion' | 'getExecutionInput' | 'getExecutionOutput' | 'getExecutionStepInput' | 'getExecutionStepOutput'
> & { send: Send };

/** Has `version` and `status` as getExecution returns them. */
export interface RecordedExecution {
  executionId: string;
  workflowId: string;
  version: number;
  status: string;
}

export interface ExecutionRecord {
  /** Taken from the version that ran. */
  nodes: NonNullable<Answer<'getWorkflowVersion'>['nodes']>;
  input: Answer<'getExecutionInput'>;
  /** Undefined if the execution did not complete. */
  output: Answer<'getExecutionOutput'> | undefined;
  steps: Step[];
}

const PAGE = 1_000;

/** Reads the record of an execution of a workflow. Step values that are too large for a list are read one by one. */
export async function readExecutionRecord(
  client: Reads,
  { executionId, workflowId, version, status }: RecordedExecution,
): Promise<ExecutionRecord> {
  const path = { executionId };
  const [{ nodes }, input, output, steps] = await Promise.all([
    client.getWorkflowVersion({ path: { workflowId, version: String(version) } }),
    client.getExecutionInput({ path }),
    status === 'COMPLETED' ? client.getExecutionOutput({ path }) : undefined,
    wholeSteps(client, executionId),
  ]);
  return { nodes: nodes ?? [], input, output, steps };
}

async function wholeSteps(client: Reads, executionId: string): Promise<Step[]> {
  const steps: Step[] = [];
  const all = paginate(client.send, 'listExecutionSteps', { path: { executionId }, query: { limit: PAGE } });
  for await (const step of all) {
    const path = { executionId, stepId: step.id };
    const input = step.inputLink === undefined ? step.input : await client.getExecutionStepInput({ path });
    const output = step.outputLink === undefined ? step.output : await client.getExecutionStepOutput({ path });
    steps.push({ ...step, input, output });
  }
  return steps;
}
