import type { Perdure } from '#client';
import type { Handler } from '../commandSpec.ts';
import { Ended, EXIT, exitCodeOfStatus } from '../exitCode.ts';
import { findId } from '../findByName.ts';
import { followToEnd } from '../followToEnd.ts';
import { durationOf, objectOf, pairsOf } from '../values.ts';

/** Starts a workflow; with --follow or --wait the exit code shows how it ended. */
export const run: Handler = async ({ arguments: [word], options, out, place, signal }) => {
  const here = await place();
  const input = options.text('input');
  const inputData = input === undefined ? undefined : await objectOf(input, '--input');
  const labels = pairsOf(options.texts('label'), '--label');
  const wait = options.text('wait');
  const timeoutMs = wait === undefined ? undefined : durationOf(wait, '--wait');
  const workflowId = await findId(here, 'workflow', word as string);
  const body = {
    ...(inputData === undefined ? {} : { inputData }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  };
  const idempotencyKey = options.text('idempotencyKey');
  const { executionId } = await here.client.executeWorkflow({
    path: { workflowId },
    body,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
  const until = options.isOff('answer') ? 'needsInput' : 'ended';
  const late = (error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
    // The single JSON document must contain the id of an execution that is still running, too.
    if (out.form === 'json') out.value({ executionId });
    throw new Ended(
      EXIT.timedOut,
      `Not finished within ${wait}; still running: perdure executions watch ${executionId}`,
    );
  };
  if (options.isSet('follow')) {
    return followToEnd(here.client, executionId, { out, signal, until, timeoutMs }).catch(late);
  }
  if (timeoutMs !== undefined || until === 'needsInput') {
    return waited(here.client, executionId, until, timeoutMs, signal, out).catch(late);
  }
  out.value({ executionId }, () => executionId);
  return EXIT.done;
};

async function waited(
  client: Perdure,
  executionId: string,
  until: 'ended' | 'needsInput',
  timeoutMs: number | undefined,
  signal: AbortSignal,
  out: Parameters<Handler>[0]['out'],
): Promise<number> {
  out.note(`execution ${executionId}`);
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  const {
    executionPath: _,
    pendingInput,
    ...ended
  } = await client.waitForExecution(executionId, { until, signal, ...limit });
  if (pendingInput.length > 0) {
    out.value({ ...ended, pendingInput });
    return EXIT.personNeeded;
  }
  out.value(ended);
  return exitCodeOfStatus(ended.status);
}
