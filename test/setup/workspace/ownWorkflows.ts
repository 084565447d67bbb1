import { ApplicationFailure, CancellationScope, CancelledFailure, proxyActivities, sleep } from '@temporalio/workflow';

// Workflows of a customer's worker.

interface Argument {
  inputs: { value?: unknown };
  call: { idempotencyKey: string };
}

interface Activities {
  double(argument: { value: number }): Promise<number>;
  note(text: string): Promise<void>;
}

const { double, note } = proxyActivities<Activities>({
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

/** Tidies up when it is cancelled. */
export async function lasts() {
  await note('begun');
  try {
    await sleep('1 hour');
  } finally {
    await CancellationScope.nonCancellable(() => note('tidied'));
  }
}
