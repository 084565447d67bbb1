import { beforeAll, expect, test } from '@jest/globals';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

test('no time is spent on recording the stacks of promises: the query for them has no frame', async () => {
  const executionId = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(executionId, 'ask');
  const { workflow } = await stackTemporal();
  expect(await workflow.getHandle(executionId).query<string>('__stack_trace')).not.toMatch(/^\s+at /m);
  await home.submit(executionId, 'ask', { answer: 'yes' });
  expect(await home.ended(executionId)).toMatchObject({ status: 'COMPLETED' });
});
