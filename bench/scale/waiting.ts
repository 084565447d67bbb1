import { setTimeout as sleep } from 'node:timers/promises';
import { action, inARow } from '../definitions.ts';
import { runBlock } from '../load.ts';
import type { ScaleStack } from './scaleStack.ts';

const CLIENTS = 20;
const LOOK_MS = 200;

const QUESTION = {
  slug: 'scale-question',
  nodes: [
    { id: 'ask', type: 'input', inputs: { fields: [{ key: 'said', label: 'Said', type: 'text', required: true }] } },
    action('after', 'testing', 'succeed', { output: '{{ steps.ask.output.said }}' }),
  ],
  edges: inARow(['ask', 'after']),
};

export async function waiting(scale: ScaleStack, count: number): Promise<void> {
  const question = await scale.deploy(QUESTION);
  const ids: string[] = [];
  await scale.stage(`${count} executions started, all wait for input`, async () => {
    await runBlock(count, CLIENTS, async () => void ids.push(await scale.execute(question)));
    await untilAll(scale, 'NEEDS_INPUT', count);
    return undefined;
  });
  await scale.stage('ten seconds of waiting', async () => void (await sleep(10_000)));
  await scale.stage('restart of everything', async () => {
    await scale.restart();
    return statusCounts(scale);
  });
  await scale.stage('all answered, all ended', async () => {
    const open = [...ids];
    await runBlock(count, CLIENTS, async () => {
      await scale.client.call('POST', `/api/webhooks/executions/${open.pop()}/nodes/ask/input`, { said: 'yes' });
    });
    await untilAll(scale, 'COMPLETED', count);
    return statusCounts(scale);
  });
}

async function statusCounts(scale: ScaleStack): Promise<Record<string, number>> {
  const rows = await scale.sql<{ status: string; count: number }>(
    'SELECT status, count(*)::int AS count FROM executions GROUP BY status',
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function untilAll(scale: ScaleStack, status: string, count: number): Promise<void> {
  for (;;) {
    const counts = await statusCounts(scale);
    if (counts[status] === count) return;
    const bad = (counts.FAILED ?? 0) + (counts.CANCELLED ?? 0) + (counts.TIMED_OUT ?? 0);
    if (bad > 0) throw new Error(`some ended otherwise: ${JSON.stringify(counts)}`);
    await sleep(LOOK_MS);
  }
}
