import { expect, test } from '@jest/globals';
import { type Api, api } from '../setup/api/client.ts';
import { followWorkspace } from '../setup/api/workspaceEvents.ts';
import { gate } from '../setup/jest/gate.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { say } from '../setup/providers/modelScript.ts';
import { inject } from '../setup/stack/inject.ts';
import { makeAgentHome, readTurn, textOf, userMessage } from '../setup/workspace/agentHome.ts';
import { keyOf } from '../setup/workspace/grants.ts';
import { action, chain, control, manual, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

// Each process polls only once a minute, so anything that arrives within half a minute came by a notification. Other
// tests do not notice a wrong notification: they only take a minute longer.

const { apis } = inject('production');
const POLL_MS = 60_000;
const SOON = { timeout: POLL_MS / 2 };

/** One caller at both APIs. */
const both = ({ apiKey }: Pick<Home, 'apiKey'>) => apis.map((url) => api(url, apiKey)) as [Api, Api];

async function soon<T>(what: string, work: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work;
  const tookMs = performance.now() - startedAt;
  if (tookMs > SOON.timeout) throw new Error(`${what}: heard of after ${Math.round(tookMs)} ms, by the poll`);
  return result;
}

test('the answer of a respond node arrives while its execution continues at a worker', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({
    trigger: webhook({ respond: 'whenFinished' }),
    nodes: [control('reply', 'respond', { status: 202, body: 'taken' }), question('ask')],
    edges: chain('reply', 'ask'),
  });
  for (const url of apis) {
    // The answer is the workflow's own, so the contract does not describe it.
    const asked = fetch(new URL(`/api/webhooks/workflows/${workflowId}`, url), { method: 'POST' });
    const answer = await soon('the answer of the respond node', asked);
    expect([answer.status, await answer.json()]).toEqual([202, 'taken']);
  }
});

test('answering a question at one API continues the execution for a caller who waits at the other', async () => {
  const home = await makeHome();
  const [one, two] = both(home);
  const workflowId = await home.deploy({
    trigger: webhook({ respond: 'whenFinished' }),
    nodes: [question('ask'), action('a', 'core.transform', { value: '{{ steps.ask.output.answer }}' })],
    edges: chain('ask', 'a'),
  });
  const awaited = one('POST', `/api/webhooks/workflows/${workflowId}`, { body: {} });
  let executionId = '';
  await poll(async () => {
    const { body } = await two('GET', '/api/pending-inputs');
    executionId = body[0]?.executionId ?? '';
    return executionId;
  }, SOON).not.toBe('');
  expect((await home.submit(executionId, 'ask', { answer: 'yes' }, undefined, two)).status).toBe(200);
  expect((await soon('the end', awaited)).body).toBe('yes');
});

test('a cancellation at one API ends the wait at the other', async () => {
  const home = await makeHome();
  const [one, two] = both(home);
  const trigger = webhook({ respond: 'whenFinished' });
  const workflowId = await home.deploy({ trigger, nodes: [question('ask')] });
  const awaited = one('POST', `/api/webhooks/workflows/${workflowId}`, { body: {} });
  let executionId = '';
  await poll(async () => {
    const { body } = await two('GET', '/api/pending-inputs');
    executionId = body[0]?.executionId ?? '';
    return executionId;
  }, SOON).not.toBe('');
  expect((await two('POST', `/api/executions/${executionId}/cancel`)).status).toBe(200);
  expect((await soon('the cancellation', awaited)).body).toMatchObject({ executionId });
});

test('followers at either API receive the changes of a workspace', async () => {
  const home = await makeHome();
  const [one, two] = both(home);
  const streams = await Promise.all(apis.map((url) => followWorkspace(url, home.apiKey)));
  onTestFinished(() => {
    for (const stream of streams) stream.close();
  });
  const heard = (name: string) => streams.map((stream) => stream.data(name).length > 0);

  const workflowId = await home.deploy({ trigger: manual(), nodes: [question('ask')] });
  const { body: started } = await one('POST', `/api/executions/workflows/${workflowId}/execute`, { body: {} });
  await poll(() => heard('question.opened'), SOON).toEqual([true, true]);
  await home.submit(started.executionId, 'ask', { answer: 'x' }, undefined, two);
  await poll(() => heard('question.closed'), SOON).toEqual([true, true]);
  await poll(() => streams.map((stream) => stream.data('execution.changed').at(-1)?.status), SOON).toEqual([
    ...['COMPLETED', 'COMPLETED'],
  ]);

  const { body: queue } = await one('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'q' } });
  await two('POST', `/api/queues/${queue.id}/items`, { body: { data: {} } });
  await poll(() => heard('queue.changed'), SOON).toEqual([true, true]);

  await one('POST', '/api/object-types/upsert', {
    body: { slug: 'a', name: 'A', attributeSchema: { type: 'object' } },
  });
  await two('POST', '/api/objects', { body: { objectTypeSlug: 'a', name: 'first', attributes: {} } });
  await poll(() => heard('object.changed'), SOON).toEqual([true, true]);
});

test('a turn that one API began is followed, and stopped, at the other', async () => {
  const home = await makeAgentHome();
  const [one, two] = both(home);
  const { after, goOn } = gate();
  onTestFinished(goOn);
  home.provider.answer([...say('Hel'), { after }, ...say('lo')], [...say('Good '), { after: gate().after }]);
  const place = `/api/agents/${home.agentId}/tasks/shared/stream-message`;

  const begun = await readTurn({ api: one }, 'POST', place, { body: { message: userMessage('Hi') } });
  await poll(() => textOf(begun.chunks), SOON).toBe('Hel');
  const follower = await readTurn({ api: two }, 'GET', place, {});
  await poll(() => textOf(follower.chunks), SOON).toBe('Hel');
  goOn();
  expect(await soon('the rest of the answer', Promise.all([begun.done, follower.done]))).toEqual([true, true]);
  expect([begun, follower].map(({ chunks }) => textOf(chunks))).toEqual(['Hello', 'Hello']);

  const second = await readTurn({ api: two }, 'POST', place, { body: { message: userMessage('Again') } });
  await poll(() => textOf(second.chunks), SOON).toBe('Good ');
  expect((await one('POST', `${place}/stop`, { body: {} })).status).toBe(201);
  await soon('the stop', second.done);
});

test('a change at one API applies to the next start at the other', async () => {
  const home = await makeHome();
  const [one, two] = both(home);
  const slug = 'changed';
  const graph = (value: string) => ({
    ...{ slug, trigger: webhook({ respond: 'whenFinished' }), edges: [] },
    nodes: [action('a', 'core.transform', { value })],
  });
  const upsert = (by: Api, value: string) =>
    by('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body: graph(value) });
  const { body: workflow } = await upsert(one, '1');
  const start = (by: Api) => by('POST', `/api/webhooks/workflows/${workflow.id}`, { body: {} });
  // Both have the first version from now on.
  expect(await Promise.all([start(one), start(two)])).toMatchObject([{ body: '1' }, { body: '1' }]);

  const { body: variable } = await one('POST', '/api/variables', { body: { name: 'rate', value: 2 } });
  expect((await upsert(one, '{{ variables.rate }}')).status).toBe(200);
  expect((await start(two)).body).toBe(2);
  expect((await two('PATCH', `/api/variables/${variable.id}`, { body: { value: 3 } })).status).toBe(200);
  expect((await start(one)).body).toBe(3);

  expect((await one('PATCH', `/api/workflows/${workflow.id}`, { body: { isActive: false } })).status).toBe(200);
  expect((await start(two)).status).toBeGreaterThanOrEqual(400);
  const { id, key } = await keyOf(home, 'workflows:read');
  const [mine, other] = apis.map((url) => api(url, key)) as [Api, Api];
  expect((await mine('GET', '/api/workflows')).status).toBe(200);
  expect((await two('DELETE', `/api/api-keys/${id}`)).status).toBe(200);
  expect([(await mine('GET', '/api/workflows')).status, (await other('GET', '/api/workflows')).status]).toEqual([
    ...[401, 401],
  ]);
});
