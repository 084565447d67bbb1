import { ApplicationFailure, CancelledFailure, proxyActivities, sleep } from '@temporalio/workflow';

// Workflows of a customer's worker.

interface Argument {
  inputs: { value?: unknown };
  call: { idempotencyKey: string };
}

const { double } = proxyActivities<{ double(argument: { value: number }): Promise<number> }>({
  startToCloseTimeout: '1 minute',
});

export async function twice({ inputs, call }: Argument) {
  await sleep(10);
  return { doubled: await double({ value: inputs.value as number }), key: call.idempotencyKey };
}

export async function refuses() {
  throw ApplicationFailure.nonRetryable('Not today', 'REFUSED', { until: 'tomorrow' });
}

export async function gives_up() {
  throw new CancelledFailure('of its own accord');
}
