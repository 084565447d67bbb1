import { expect, test } from '@jest/globals';
import { loopback } from '../setup/providers/loopback.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, tool } from '../setup/workspace/agentHome.ts';

/** A workspace with an app of one action for each effect. */
async function makeShop() {
  const { url, calls } = await loopback((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"output":"done"}'),
  );
  const home = await makeAgentHome();
  const actions = ['read', 'write', 'destructive'].map((effect) => ({ actionId: effect, effect }));
  const app = { slug: 'shop', runs: { on: 'http', baseUrl: url }, actions };
  const { status } = await home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body: app });
  expect(status).toBe(200);
  const called = () => calls.map(({ url: path }) => path.slice(1)).sort();
  return { home, called };
}

async function turnOf(home: AgentHome, agentId: string, names: readonly string[]) {
  home.provider.answer(
    callTools(...names.map((name) => ({ id: name, name: `shop_${name}`, arguments: {} }))),
    say('Done.'),
  );
  const path = `/api/agents/${agentId}/tasks/${agentId}/message`;
  const message = { role: 'user', parts: [{ type: 'text', text: 'Do it' }] };
  const { body } = await home.api('POST', path, { body: { message } });
  return body.messages.at(-1).parts.flatMap((part: { approval?: { id: string } }) => part.approval?.id ?? []);
}

test('a destructive tool asks a person first, and others are called, if the author chose no policy', async () => {
  const { home, called } = await makeShop();
  const names = ['read', 'write', 'destructive'];
  const agentId = await home.agent({ tools: names.map((name) => tool('shop', name)) as never });
  const { body: agent } = await home.api('GET', `/api/agents/${agentId}?expansion=tools`);
  expect(agent.tools.map((each: object) => 'policy' in each)).toEqual([false, false, false]);
  const approvals = await turnOf(home, agentId, names);
  expect([approvals.length, called()]).toEqual([1, ['read', 'write']]);
  const parts = [{ type: 'tool-approval-response', approvalId: approvals[0], approved: true }];
  const path = `/api/agents/${agentId}/tasks/${agentId}/message`;
  await home.api('POST', path, { body: { message: { role: 'assistant', parts } } });
  expect(called()).toEqual(['destructive', 'read', 'write']);
});

test.each<[string, object]>([
  ['of the tool', { tools: [tool('shop', 'destructive', { policy: 'auto' })] }],
  ['by name', { tools: [tool('shop', 'destructive')], enabledToolPolicies: { shop_destructive: 'auto' } }],
])('a destructive tool is called at once if its author says so, with a policy %s', async (_, settings) => {
  const { home, called } = await makeShop();
  const agentId = await home.agent(settings as never);
  expect(await turnOf(home, agentId, ['destructive'])).toEqual([]);
  expect(called()).toEqual(['destructive']);
});
