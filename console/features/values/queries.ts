import { client } from '../../app/session/session.ts';

export async function loadStepValue(executionId: string, stepId: string, part: 'input' | 'output'): Promise<unknown> {
  const path = { executionId, stepId };
  return part === 'input'
    ? await client.getExecutionStepInput({ path })
    : await client.getExecutionStepOutput({ path });
}
