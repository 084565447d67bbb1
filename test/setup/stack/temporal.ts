import { afterAll } from '@jest/globals';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { inject } from './inject.ts';

let shared: Promise<Client> | undefined;

afterAll(async () => {
  await (await shared)?.connection.close();
  shared = undefined;
});

export function stackTemporal(): Promise<Client> {
  shared ??= connect();
  return shared;
}

export function connectionTo(address: string): Promise<Connection> {
  return Connection.connect({ address, connectTimeout: '1 minute' });
}

async function connect(): Promise<Client> {
  return new Client({ connection: await connectionTo(inject('stack').temporalAddress) });
}

/** Returns Temporal's status of an execution's workflow after its end: COMPLETED, FAILED… `client`: another stack's. */
export async function engineStatus(executionId: string, client?: Client): Promise<string> {
  const handle = (client ?? (await stackTemporal())).workflow.getHandle(executionId);
  await handle.result().catch(() => undefined);
  return (await handle.describe()).status.name;
}

/** Deletes a workflow like `temporal workflow delete`; resolves when the server no longer has it. */
export async function deleteInEngine(workflowId: string): Promise<void> {
  const { workflow, workflowService } = await stackTemporal();
  await workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution: { workflowId } });
  for (;;) {
    try {
      await workflow.getHandle(workflowId).describe();
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return;
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
