import { setTimeout as sleep } from 'node:timers/promises';
import { TERMINAL_STATUSES } from '../domain/execution/status.ts';
import type { JsonClient } from './jsonClient.ts';

const LOOK_MS = 10;

// biome-ignore lint/suspicious/noExplicitAny: as openapi.yaml describes it
export type Execution = any;

export async function readUntil(
  client: JsonClient,
  id: string,
  isIt: (execution: Execution) => boolean,
  lookMs = LOOK_MS,
): Promise<Execution> {
  for (;;) {
    const path = `/api/executions/${id}?expansion=status,executionPath,pendingInput,output`;
    const { body } = await client.call('GET', path);
    if (isIt(body)) return body;
    if (TERMINAL_STATUSES.includes(body.status))
      throw new Error(`the execution ended ${body.status}: ${JSON.stringify(body)}`);
    await sleep(lookMs);
  }
}

export const isEnded = ({ status }: Execution) => status === 'COMPLETED';
export const stepOf = ({ executionPath }: Execution, nodeId: string) =>
  executionPath.find((step: { nodeId: string }) => step.nodeId === nodeId);
