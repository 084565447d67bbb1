import { action } from '../definitions.ts';
import { historiesOf } from './histories.ts';
import type { ScaleStack } from './scaleStack.ts';

const BAD = 'scaleBad';

export async function retriedLoop(scale: ScaleStack, iterations: number): Promise<void> {
  const { client } = scale;
  const { body: bad } = await client.call('POST', '/api/variables', { name: BAD, value: Math.floor(iterations / 2) });
  const items = `{{ parseJson("[0" + padStart("", ${2 * (iterations - 1)}, ",0") + "]") }}`;
  const inside = [
    action('work', 'testing', 'succeed', { output: '{{ loop.index }}' }),
    action('check', 'core', 'assert', { condition: `{{ loop.index != variables.${BAD} }}` }),
  ];
  const workflowId = await scale.deploy({
    slug: 'scale-retried-loop',
    nodes: [
      { id: 'loop', type: 'forEach', inputs: { items, concurrency: 100, onItemError: 'continue' } },
      ...inside.map((node) => ({ ...node, parentId: 'loop' })),
    ],
    edges: [{ id: 'e', source: 'work', target: 'check' }],
  });
  let first = '';
  await scale.stage(`forEach over ${iterations}, one item fails`, async () => {
    first = await scale.execute(workflowId);
    await scale.untilEnded(first, 'COMPLETED');
    return {};
  });
  await scale.sql(`UPDATE variables SET value = '-1' WHERE id = $1`, [bad.id]);
  await scale.stage(`retry of that item, ${iterations - 1} kept`, async () => {
    const startedAt = performance.now();
    const { status, body } = await client.call('POST', `/api/executions/${first}/retry`, { failedItems: 'again' });
    if (status !== 201) throw new Error(`the retry answered ${status}`);
    const acceptedMs = Math.round(performance.now() - startedAt);
    await scale.untilEnded(body.executionId, 'COMPLETED');
    const [row] = await scale.sql(
      `SELECT iterations_completed AS completed, iterations_kept AS kept FROM execution_steps
       WHERE execution_id = $1 AND node_id = 'loop'`,
      [body.executionId],
    );
    return { acceptedMs, ...row, histories: await historiesOf(scale.stack.running.temporalAddress, body.executionId) };
  });
}
