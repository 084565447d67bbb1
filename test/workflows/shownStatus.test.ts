import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain, control, edges, question } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

/** The execution in the list of the Temporal UI. */
async function shown(executionId: string): Promise<unknown> {
  const { workflow } = await stackTemporal();
  return (await workflow.getHandle(executionId).describe()).searchAttributes.PerdureStatus;
}
const SOON = { timeout: 10_000, interval: 50 };
const long = (id: string) => action(id, 'testing.wait', { ms: 600_000 });

test('that somebody is asked, that it goes on a second after the answer, and the end', async () => {
  const home = await makeHome();
  const executionId = await home.execute(
    await home.deploy({ nodes: [question('ask'), long('work')], edges: chain('ask', 'work') }),
  );
  await home.asked(executionId, 'ask');
  await poll(() => shown(executionId), SOON).toEqual(['NEEDS_INPUT']);
  await home.submit(executionId, 'ask', { answer: 'x' });
  await poll(() => shown(executionId), SOON).toEqual(['RUNNING']);
  await home.api('POST', `/api/executions/${executionId}/cancel`);
  await home.ended(executionId);
  await poll(() => shown(executionId), SOON).toEqual(['CANCELLED']);
});

test('asked again within that second, it is shown as asked, and then as going on', async () => {
  const home = await makeHome();
  const executionId = await home.execute(
    await home.deploy({
      nodes: [control('again', 'repeat', { times: 2 }), question('ask', {}, { parentId: 'again' }), long('work')],
      edges: edges('again>work'),
    }),
  );
  const askedIn = (index: number) =>
    home.until(executionId, ({ pendingInput = [] }) => pendingInput[0]?.iteration[0].index === index);
  await askedIn(0);
  await home.submit(executionId, 'ask', { answer: 'x' });
  await askedIn(1);
  // The timer of the first answer has fired by then.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await shown(executionId)).toEqual(['NEEDS_INPUT']);
  await home.submit(executionId, 'ask', { answer: 'x' });
  await poll(() => shown(executionId), SOON).toEqual(['RUNNING']);
});
