import { expect, test } from '@jest/globals';
import { loopback } from '../setup/providers/loopback.ts';
import { startMcpServer, textTool } from '../setup/providers/mcpServer.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome } from '../setup/workspace/agentHome.ts';
import { requestsOf, scriptAgents } from '../setup/workspace/agentScripts.ts';

// An approval covers the tool as it was shown. Later changes of the agent must not run anything unapproved.

async function upserted(home: AgentHome, slug: string, settings: object) {
  const { status, body } = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, {
    body: { slug, instructions: slug, model: 'm', aiConnectionId: home.connectionId, ...settings },
  });
  expect([status, body.id]).toEqual([200, expect.any(String)]);
  return body.id as string;
}

const path = (agentId: string) => `/api/agents/${agentId}/tasks/t-${agentId}/message`;

async function askedAbout(home: AgentHome, agentId: string) {
  const body = { message: { role: 'user', parts: [{ type: 'text', text: 'Do it' }] } };
  const { body: answer } = await home.api('POST', path(agentId), { body });
  const part = answer.messages[0].parts.at(-1);
  expect(part).toMatchObject({ state: 'approval-requested' });
  return { approvalId: part.approval.id };
}

async function approve(home: AgentHome, agentId: string, approvalId: string) {
  const parts = [{ type: 'tool-approval-response', approvalId, approved: true }];
  const { status, body } = await home.api('POST', path(agentId), { body: { message: { role: 'assistant', parts } } });
  expect(status).toBe(200);
  const { parts: all } = body.messages[0];
  return { call: all.find(({ toolCallId }: { toolCallId?: string }) => toolCallId === 'c'), last: all.at(-1) };
}

const GET = { method: 'GET' };
const fetching = (url: string) => callTools({ id: 'c', name: 'http_request', arguments: { url } });

test.each([
  ['other fixed values', { inputs: { method: 'DELETE' } }],
  ['another connection', 'connection'],
  ['another policy', { policy: 'auto' }],
  ['no right to call it', { policy: 'deny' }],
  ['another value that is fixed now', { inputs: { ...GET, query: { all: 'true' } } }],
])('an approved call does not run with %s: TOOL_CHANGED, and the turn continues', async (_, change) => {
  const home = await makeAgentHome();
  const { url, calls } = await loopback();
  const tool = { appId: 'http', actionId: 'request', policy: 'approve', inputs: GET };
  const agentId = await upserted(home, 'clerk', { tools: [tool] });
  scriptAgents(home, { clerk: [fetching(url), say('So not.'), fetching(url)] });
  const { approvalId } = await askedAbout(home, agentId);
  const other = { connectionId: await connected(home, url) };
  await upserted(home, 'clerk', { tools: [{ ...tool, ...(change === 'connection' ? other : (change as object)) }] });
  const { call, last } = await approve(home, agentId, approvalId);
  expect(call).toMatchObject({ state: 'output-error', errorText: expect.stringMatching(/^TOOL_CHANGED: /) });
  expect(last).toMatchObject({ type: 'text', text: 'So not.' });
  expect(requestsOf(home, 'clerk')[1]?.body.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringMatching(/^Error: TOOL_CHANGED: /),
  });
  expect(calls).toEqual([]);
});

async function connected(home: AgentHome, url: string): Promise<string> {
  const { body } = await home.api('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
    body: { credentials: { apiKey: 'k', allowedHosts: new URL(url).host } },
  });
  return body.id;
}

test('an approved call runs where only other settings of the agent have changed', async () => {
  const home = await makeAgentHome();
  const { url, calls } = await loopback();
  const tool = { appId: 'http', actionId: 'request', policy: 'approve', inputs: GET };
  const agentId = await upserted(home, 'clerk', { tools: [tool] });
  scriptAgents(home, { clerk: [fetching(url), say('Done.')] });
  const { approvalId } = await askedAbout(home, agentId);
  const more = { temperature: 0.5, tools: [tool, { appId: 'testing', actionId: 'succeed' }], connectionIds: [] };
  await upserted(home, 'clerk', more);
  const { call } = await approve(home, agentId, approvalId);
  expect(call).toMatchObject({ state: 'output-available', approval: { approved: true } });
  expect(calls.map(({ method }) => method)).toEqual(['GET']);
});

test('an approval of a workflow or an agent is not one of another that has its slug now', async () => {
  const home = await makeAgentHome();
  const graph = (value: string) => ({
    nodes: [{ id: 'only', type: 'action', appId: 'core', actionId: 'transform', inputs: { value } } as never],
    edges: [],
  });
  const refund = await home.deploy({ slug: 'refund', ...graph('the first') });
  const clerk = await upserted(home, 'clerk', {});
  const policies = { workflow_refund: 'approve', agent_clerk: 'approve' };
  const settings = { workflowIds: [refund], subAgentIds: [clerk], enabledToolPolicies: policies };
  const boss = await upserted(home, 'boss', settings);
  scriptAgents(home, {
    boss: [
      [
        ...callTools(
          { id: 'w', name: 'workflow_refund', arguments: {} },
          { id: 'c', name: 'agent_clerk', arguments: { message: 'Hi' } },
        ),
      ],
      say('So not.'),
    ],
    clerk: [say('The first')],
    other: [say('Another')],
  });
  await askedAbout(home, boss);
  const asked = (await home.messages(`t-${boss}`)).at(-1).parts.filter((part: { approval?: object }) => part.approval);
  await home.database.workflow.update({ where: { id: refund }, data: { slug: 'refund-old' } });
  await home.database.agent.update({ where: { id: clerk }, data: { slug: 'clerk-old' } });
  const other = await home.deploy({ slug: 'refund', ...graph('another') });
  const otherClerk = await upserted(home, 'clerk', { instructions: 'other' });
  await upserted(home, 'boss', { ...settings, workflowIds: [other], subAgentIds: [otherClerk] });
  const parts = asked.map((part: { approval: { id: string } }) => ({
    ...{ type: 'tool-approval-response', approvalId: part.approval.id, approved: true },
  }));
  const { body } = await home.api('POST', path(boss), { body: { message: { role: 'assistant', parts } } });
  const calls = body.messages[0].parts.filter(({ toolCallId }: { toolCallId?: string }) => toolCallId !== undefined);
  expect(calls.map(({ errorText }: { errorText: string }) => errorText)).toEqual([
    expect.stringMatching(/^TOOL_CHANGED: /),
    expect.stringMatching(/^TOOL_CHANGED: /),
  ]);
  expect(requestsOf(home, 'other')).toEqual([]);
  expect((await home.api('GET', '/api/executions')).body).toEqual([]);
});

test('approved arguments that the fields do not take any more are TOOL_CHANGED; further optional fields do no harm', async () => {
  const home = await makeAgentHome();
  const field = (key: string, type: string, required: boolean) => ({ key, label: key, type, required });
  const deploy = (...fields: object[]) =>
    home.deploy({
      slug: 'refund',
      trigger: { id: 'trigger', type: 'manual', config: { fields } } as never,
      nodes: [{ id: 'only', type: 'action', appId: 'core', actionId: 'transform', inputs: { value: 1 } } as never],
      edges: [],
    });
  const workflowId = await deploy(field('n', 'number', true));
  const settings = { workflowIds: [workflowId], enabledToolPolicies: { workflow_refund: 'approve' } };
  const agentId = await upserted(home, 'clerk', settings);
  const ask = callTools({ id: 'c', name: 'workflow_refund', arguments: { n: 1 } });
  scriptAgents(home, { clerk: [ask, say('Done.')] });
  const { approvalId } = await askedAbout(home, agentId);
  await deploy(field('n', 'number', true), field('why', 'text', false));
  expect((await approve(home, agentId, approvalId)).call).toMatchObject({ state: 'output-available' });

  const second = await upserted(home, 'second', settings);
  scriptAgents(home, { second: [ask, say('So not.')] });
  const again = await askedAbout(home, second);
  await deploy(field('n', 'number', true), field('account', 'text', true));
  const { call } = await approve(home, second, again.approvalId);
  expect(call).toMatchObject({ state: 'output-error', errorText: expect.stringMatching(/^TOOL_CHANGED: .*account/) });
});

test('an approved call of an MCP server is not made to another server under its name', async () => {
  const home = await makeAgentHome();
  const answer = () => ({ content: [{ type: 'text', text: 'paid' }] });
  const [first, second] = [
    await startMcpServer({ tools: [textTool('pay')], answer }),
    await startMcpServer({ tools: [textTool('pay')], answer }),
  ];
  const settings = (url: string) => ({ mcpServers: [{ name: 'bank', url, policy: 'approve' }] });
  const agentId = await upserted(home, 'clerk', settings(first.url));
  scriptAgents(home, { clerk: [callTools({ id: 'c', name: 'mcp_bank_pay', arguments: {} }), say('So not.')] });
  const { approvalId } = await askedAbout(home, agentId);
  await upserted(home, 'clerk', settings(second.url));
  expect((await approve(home, agentId, approvalId)).call).toMatchObject({
    state: 'output-error',
    errorText: expect.stringMatching(/^TOOL_CHANGED: /),
  });
  expect([first.calls, second.calls]).toEqual([[], []]);
});
