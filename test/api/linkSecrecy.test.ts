import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { stackLog } from '../setup/stack/stackLog.ts';
import { engineStatus, stackTemporal } from '../setup/stack/temporal.ts';
import { textsOf } from '../setup/stack/textsOf.ts';
import { action, chain, control, edges, question } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

test('the token of a link stands in no history and in no log, however it is read, sent on, used and refused', async () => {
  const home = await makeHome();
  const inner = await home.deploy({
    nodes: [
      question('ask', { submitters: 'link' }),
      action('sent', 'testing.succeed', { output: '{{ steps.ask.link }}' }),
    ],
    edges: chain('ask', 'sent'),
  });
  const nodes = [
    question('ask', { submitters: 'link' }),
    action('mail', 'testing.succeed', { output: '{{ "at " + steps.ask.link }}' }),
    action('bad', 'core.assert', { condition: false, message: '{{ steps.ask.link }}' }, { onError: 'continue' }),
    control('each', 'forEach', { items: [1, 2], concurrency: 2 }),
    question('inside', { submitters: 'link' }, { parentId: 'each' }),
    action('beside', 'testing.succeed', { output: '{{ steps.inside.link }}' }, { parentId: 'each' }),
    control('sub', 'runWorkflow', { workflowId: inner, input: { link: '{{ steps.ask.link }}' } }),
  ];
  const executionId = await home.execute(await home.deploy({ nodes, edges: edges('ask>mail') }));
  const asked = (id: string, count: number) => home.until(id, ({ pendingInput }) => pendingInput?.length === count);
  const links: string[] = (await asked(executionId, 3)).pendingInput.map(({ link }: { link: string }) => link);
  await home.until(executionId, ({ executionPath }) =>
    executionPath.some(
      (step: { nodeId: string; input?: { executionId?: string } }) => step.nodeId === 'sub' && step.input?.executionId,
    ),
  );
  const [child] = (await home.read(executionId, 'childExecutions')).childExecutions;
  links.push((await asked(child.id, 1)).pendingInput[0].link);
  const tokens = links.map((link) => new URL(link, home.url).searchParams.get('token') ?? '');
  for (const token of tokens) expect(token.length).toBeGreaterThan(20);

  const open = api(home.url);
  for (const link of links) {
    const { pathname, search } = new URL(link, home.url);
    const path = pathname + search;
    expect((await open('POST', path, { body: { wrong: 'x' } })).status).toBe(400);
    expect((await open('POST', path, { body: { answer: 'x' } })).status).toBe(200);
    expect((await open('POST', path, { body: { answer: 'x' } })).status).toBe(409);
  }
  expect((await home.ended(executionId)).status).toBe('COMPLETED');

  const { workflow } = await stackTemporal();
  for (const id of [executionId, child.id]) {
    await engineStatus(id);
    const handle = workflow.getHandle(id);
    const texts = textsOf([await handle.fetchHistory(), (await handle.describe()).raw]);
    expect(texts).toContain(home.workspaceId);
    expect(tokens.filter((token) => texts.includes(token))).toEqual([]);
  }
  // There are logs, and the tokens are not in them.
  expect(await stackLog('"level"')).not.toEqual([]);
  for (const token of tokens) expect(await stackLog(token)).toEqual([]);
}, 60_000);
