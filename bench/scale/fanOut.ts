import { action } from '../definitions.ts';
import { historiesOf } from './histories.ts';
import type { ScaleStack } from './scaleStack.ts';

/** Runs one execution with `count` remote actions, `concurrency` of them in parallel. */
export async function fanOut(scale: ScaleStack, count: number, concurrency: number): Promise<void> {
  const workflowId = await scale.deploy({
    slug: 'scale-fan-out',
    nodes: [
      { id: 'loop', type: 'forEach', inputs: { items: '{{ trigger.items }}', concurrency } },
      { ...action('child', 'testing', 'succeed', { output: '{{ loop.item * 2 }}' }), parentId: 'loop' },
    ],
    edges: [],
  });
  await scale.stage(`fan-out of ${count} remote actions, ${concurrency} at once`, async () => {
    const items = Array.from({ length: count }, (_, index) => index);
    const executionId = await scale.execute(workflowId, { items });
    await scale.untilEnded(executionId, 'COMPLETED');
    const { output } = (await scale.client.call('GET', `/api/executions/${executionId}?expansion=output`)).body;
    const isRight = Array.isArray(output) && items.every((item) => output[item] === item * 2);
    if (!isRight) throw new Error(`another output: ${JSON.stringify(output).slice(0, 500)}`);
    const histories = await historiesOf(scale.stack.running.temporalAddress, executionId);
    return { outputs: output.length, histories };
  });
}
