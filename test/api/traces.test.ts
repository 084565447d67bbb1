import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { attemptSpan, modelCallSpan, requestSpan, toolCallSpan } from '../../domain/trace/spanIds.ts';
import { traceparent } from '../setup/api/traceparent.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { said, startMcpServer, textTool } from '../setup/providers/mcpServer.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { stackLog } from '../setup/stack/stackLog.ts';
import { makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';
import { action, control, edges, manual } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const parentOf = (text: string | undefined) =>
  /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(text ?? '')?.slice(1);

async function traceIdOf(home: Home, executionId: string): Promise<string> {
  const { body } = await home.api('GET', `/api/executions/${executionId}?expansion=traceId`);
  return body.traceId;
}

async function executed(home: Home, workflowId: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await home.api('POST', `/api/executions/workflows/${workflowId}/execute`, { body: {}, headers });
  expect(answer.status).toBe(201);
  await home.finished(answer.body.executionId);
  return answer.body.executionId;
}

test("a caller's trace goes through execution, attempt and sub-workflow to whatever is called", async () => {
  const home = await makeHome();
  const service = await loopback();
  const call = action('call', 'http.request', { url: `${service.url}/own` });
  const child = await home.deploy({
    trigger: manual(),
    nodes: [action('inner', 'http.request', { url: service.url })],
  });
  const nodes = [call, control('sub', 'runWorkflow', { workflowId: child, input: {} })];
  const workflowId = await home.deploy({ trigger: manual(), nodes, edges: edges('trigger>call', 'call>sub') });

  const caller = traceparent();
  const executionId = await executed(home, workflowId, { traceparent: caller.header, tracestate: 'shop=7' });
  expect(await traceIdOf(home, executionId)).toBe(caller.traceId);
  const { body } = await home.api('GET', `/api/executions/${executionId}?expansion=childExecutions`);
  const childId = body.childExecutions[0].id;
  expect(await traceIdOf(home, childId)).toBe(caller.traceId);
  const at = { iteration: '', executionId };
  expect(service.calls.map(({ headers }) => parentOf(headers.traceparent as string))).toEqual([
    [caller.traceId, requestSpan(attemptSpan({ ...at, nodeId: 'call' }, 1)), '01'],
    [caller.traceId, requestSpan(attemptSpan({ ...at, executionId: childId, nodeId: 'inner' }, 1)), '01'],
  ]);
  expect(service.calls.map(({ headers }) => headers.tracestate)).toEqual(['shop=7', 'shop=7']);

  // The caller's decision not to record is respected.
  const quiet = traceparent('00');
  await executed(home, workflowId, { traceparent: quiet.header });
  expect(service.calls.slice(2).map(({ headers }) => parentOf(headers.traceparent as string)?.[2])).toEqual([
    '00',
    '00',
  ]);
});

test('without a trace of the caller, or with none that is well-formed, each start has a trace of its own', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ trigger: manual(), nodes: [action('a', 'core.set', { values: {} })] });
  const { traceId, spanId } = traceparent();
  const headers: Record<string, string>[] = [
    {},
    { traceparent: 'x' },
    { traceparent: `00-${traceId}-${spanId}` },
    { traceparent: `00-${traceId.toUpperCase()}-${spanId}-01` },
    { traceparent: `ff-${traceId}-${spanId}-01` },
    { traceparent: `00-${'0'.repeat(32)}-${spanId}-01` },
    { traceparent: `00-${traceId}-${'0'.repeat(16)}-01` },
    { traceparent: `00-${traceId}-${spanId}-01-more` },
    { traceparent: `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01` },
  ];
  const found: string[] = [];
  for (const each of headers) found.push(await traceIdOf(home, await executed(home, workflowId, each)));
  expect(new Set(found).size).toBe(headers.length);
  expect(found).not.toContain(traceId);
  for (const each of found) expect(each).toMatch(/^[\da-f]{32}$/);

  const long = { traceparent: traceparent().header, tracestate: `a=${'x'.repeat(600)}` };
  const answer = await home.api('POST', `/api/executions/workflows/${workflowId}/execute`, { body: {}, headers: long });
  expect(answer.status).toBe(201);
});

test("an author's own traceparent counts, and null sends none", async () => {
  const home = await makeHome();
  const service = await loopback();
  const own = traceparent().header;
  const nodes = [
    action('own', 'http.request', { url: service.url, headers: { TraceParent: own } }),
    action('none', 'http.request', { url: service.url, headers: { traceparent: null } }),
  ];
  const workflowId = await home.deploy({ trigger: manual(), nodes, edges: edges('trigger>own', 'own>none') });
  await executed(home, workflowId, { traceparent: traceparent().header, tracestate: 'shop=7' });
  expect(service.calls.map(({ headers }) => [headers.traceparent, headers.tracestate])).toEqual([
    [own, undefined],
    [undefined, undefined],
  ]);
});

test('a turn carries the trace to its model, its MCP server, its tools and the agents that it calls', async () => {
  const home = await makeAgentHome();
  const service = await loopback();
  const server = await startMcpServer({
    tools: [textTool('echo')],
    answer: ({ headers }) => said(`${headers.traceparent}`),
  });
  const upsert = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, {
    body: {
      ...{ slug: 's', instructions: 'Help.', model: 'm', aiConnectionId: home.connectionId },
      mcpServers: [{ name: 'shop', url: server.url }],
      tools: [{ appId: 'http', actionId: 'request' }],
    },
  });
  home.provider.answer(
    [
      ...callTools({ id: 'm', name: 'mcp_shop_echo', arguments: { text: 'x' } }),
      ...callTools({ id: 'h', name: 'http_request', arguments: { url: service.url } }),
    ],
    say('Done'),
  );
  const caller = traceparent();
  const taskId = randomUUID();
  const answer = await home.api('POST', `/api/agents/${upsert.body.id}/tasks/${taskId}/message`, {
    body: { message: userMessage('Do it', randomUUID()) },
    headers: { traceparent: caller.header },
  });
  expect(answer.status).toBe(200);
  const { rows } = await home.database.pool.query(
    'SELECT r.id, c.execution_id FROM task_runs r JOIN run_tool_calls c ON c.run_id = r.id WHERE c.tool_call_id = $1 AND r.workspace_id = $2',
    ['h', home.workspaceId],
  );
  const [{ id: runId, execution_id: executionId }] = rows;
  expect(home.provider.requests.map(({ headers }) => parentOf(headers.traceparent as string))).toEqual([
    [caller.traceId, modelCallSpan(runId, 1), '01'],
    [caller.traceId, modelCallSpan(runId, 2), '01'],
  ]);
  const parts = answer.body.messages.flatMap(
    ({ parts: all }: { parts: { toolCallId?: string; output?: unknown }[] }) => all,
  );
  const echoed = parts.find(({ toolCallId }: { toolCallId?: string }) => toolCallId === 'm').output;
  expect(parentOf(echoed)).toEqual([caller.traceId, toolCallSpan(runId, 'm'), '01']);
  const [called] = service.calls;
  expect(parentOf(called?.headers.traceparent as string)?.[0]).toBe(caller.traceId);
  expect(await traceIdOf(home, executionId)).toBe(caller.traceId);
});

test('an error workflow is in the trace of its failed execution, also where many fail at once', async () => {
  const home = await makeHome();
  const handler = await home.deploy({ trigger: manual(), nodes: [action('a', 'core.set', { values: {} })] });
  const nodes = [action('bad', 'testing.fail', { retryable: false })];
  const workflowId = await home.deploy({ trigger: manual(), nodes, onFailureWorkflowId: handler });
  const callers = Array.from({ length: 5 }, () => traceparent());
  await Promise.all(
    callers.map(async ({ header, traceId }) => {
      const executionId = await executed(home, workflowId, { traceparent: header });
      const handled = async () => {
        const { body } = await home.api('GET', `/api/executions/${executionId}?expansion=failureHandling`);
        return body.failureHandling?.execution?.id as string | undefined;
      };
      await poll(handled).toEqual(expect.any(String));
      expect(await traceIdOf(home, String(await handled()))).toBe(traceId);
    }),
  );
});

test('log lines name the trace of their request, and of an activity whose it is', async () => {
  const home = await makeAgentHome();
  home.provider.answer([{ status: 400, error: { message: 'No' } }]);
  const caller = traceparent();
  const answer = await home.api('POST', `/api/agents/${home.agentId}/tasks/${randomUUID()}/message`, {
    body: { message: userMessage('Do it', randomUUID()) },
    headers: { traceparent: caller.header },
  });
  const { traceId } = caller;
  await poll(() => stackLog(traceId)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ msg: 'request', requestId: answer.headers.get('x-request-id'), traceId }),
      expect.objectContaining({ msg: 'a call of a model failed', traceId, turnId: expect.any(String) }),
    ]),
  );
});
