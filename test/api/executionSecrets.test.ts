import { expect, test } from '@jest/globals';
import { action, chain, manual, question } from '../setup/graph.ts';
import { makeHome } from '../setup/home.ts';

test('what is submitted to secret fields reaches expressions, and no read', async () => {
  const home = await makeHome();
  const [typed, started] = ['hunter22-of-the-question', 'hunter22-of-the-trigger'];
  const secret = (key: string) => ({ key, label: key, type: 'secret', required: true });
  const executionId = await home.execute(
    await home.deploy({
      trigger: manual(secret('token')),
      nodes: [
        question('ask', { fields: [secret('password'), { key: 'user', label: 'User', type: 'text', required: true }] }),
        action('use', 'core.set', {
          values: { header: 'Bearer {{ steps.ask.output.password }}', token: '{{ trigger.token }}' },
        }),
        action('size', 'core.set', {
          values: { lengths: ['{{ size(steps.ask.output.password) }}', '{{ size(trigger.token) }}'] },
        }),
      ],
      edges: chain('ask', 'use', 'size'),
      output: {
        all: '{{ steps.ask.output }}',
        lengths: '{{ steps.size.output.lengths }}',
        use: '{{ steps.use.output }}',
      },
    }),
    { token: started },
  );
  await home.asked(executionId, 'ask');
  await home.submit(executionId, 'ask', { password: typed, user: 'ada' });
  const finished = await home.until(executionId, ({ status }) => status === 'COMPLETED');
  const execution = await home.read(executionId);
  expect(execution.output).toMatchObject({
    all: { password: '***', user: 'ada' },
    lengths: [typed.length, started.length],
    use: { header: 'Bearer ***', token: '***' },
  });
  expect(execution.executionPath.map(({ nodeId }: { nodeId: string }) => nodeId)).toEqual(['ask', 'use', 'size']);
  expect(execution.executionPath[0].output).toMatchObject({ password: '***', user: 'ada' });
  expect(execution.executionPath[1].input).toEqual({ values: { header: 'Bearer ***', token: '***' } });

  const path = `/api/executions/${executionId}`;
  const reads = [
    finished,
    execution,
    (await home.api('GET', `${path}/steps`)).body,
    (await home.api('GET', `${path}/output`)).body,
    (await home.api('GET', `/api/executions?expansion=output`)).body,
  ];
  for (const { id } of execution.executionPath) {
    for (const rest of ['', '/input', '/output'])
      reads.push((await home.api('GET', `${path}/steps/${id}${rest}`)).body);
  }
  expect(reads).toHaveLength(14);
  for (const read of reads) expect(JSON.stringify(read)).not.toMatch(/hunter22/);
});
