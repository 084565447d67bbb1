import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';
import { action, chain, control, manual, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const SECRET = 'open-sesame-55213';

/** A server that does not echo its input, but returns the credential in a later call. */
async function gossip(home: Home) {
  const server = await loopback(({ url, headers }, response) => {
    const body = url === '/login' ? { ok: headers['x-shop-key'] === SECRET } : { said: `the key is ${SECRET}` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const connected = await home.api('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
    body: { credentials: { allowedHosts: '127.0.0.1', apiKey: SECRET, header: 'X-Shop-Key' } },
  });
  const connectionId: string = connected.body.id;
  const login = action('login', 'http.request', { method: 'GET', url: `${server.url}/login` }, { connectionId });
  const echo = action('echo', 'http.request', { method: 'GET', url: `${server.url}/echo` });
  const keep = action('keep', 'core.transform', { value: '{{ steps.echo.output.body }}' });
  return { server, connectionId, login, echo, keep };
}

const SHOWN = { said: 'the key is ***' };

test('no read of the execution shows the credentials that a step without the connection repeats', async () => {
  const home = await makeHome();
  const { login, echo, keep, server } = await gossip(home);
  const tells = action(
    'tells',
    'testing.fail',
    { message: '{{ steps.keep.output.said }}', retryable: false },
    { onError: 'continue' },
  );
  const workflowId = await home.deploy({
    trigger: webhook({ respond: 'whenFinished' }),
    nodes: [login, echo, keep, tells],
    edges: chain('login', 'echo', 'keep', 'tells'),
    output: '{{ steps.keep.output }}',
  });
  const answer = await api(home.url)('POST', `/api/webhooks/workflows/${workflowId}`, { body: {} });
  expect([answer.status, answer.body]).toEqual([200, SHOWN]);
  expect(server.calls.map(({ headers }) => headers['x-shop-key'])).toEqual([SECRET, undefined]);

  const executionId = answer.headers.get('x-execution-id') ?? '';
  const finished = await home.finished(executionId);
  const execution = await home.read(executionId);
  expect(execution.output).toEqual(SHOWN);
  const path = `/api/executions/${executionId}`;
  const reads: unknown[] = [finished, execution];
  for (const rest of ['/steps', '/output']) reads.push((await home.api('GET', `${path}${rest}`)).body);
  for (const { id } of execution.executionPath) {
    for (const rest of ['', '/input', '/output'])
      reads.push((await home.api('GET', `${path}/steps/${id}${rest}`)).body);
  }
  reads.push((await home.api('GET', '/api/executions?expansion=output,statusMessage')).body);
  expect(reads).toHaveLength(17);
  for (const read of reads) expect(JSON.stringify(read)).not.toContain(SECRET);
  // The masked value exists, and later steps get it unmasked.
  expect(JSON.stringify(execution).split('the key is ***').length).toBeGreaterThan(4);
});

test('neither failures nor problems show them', async () => {
  const home = await makeHome();
  const { login, echo } = await gossip(home);
  const fails = action('fails', 'testing.fail', { message: '{{ steps.echo.output.body.said }}', retryable: false });
  const workflowId = await home.deploy({
    trigger: webhook({ respond: 'whenFinished' }),
    nodes: [login, echo, fails],
    edges: chain('login', 'echo', 'fails'),
  });
  const { status, body } = await api(home.url)('POST', `/api/webhooks/workflows/${workflowId}`, { body: {} });
  expect([status, body.code]).toEqual([500, 'EXECUTION_FAILED']);
  expect(body.detail).toContain('the key is ***');
  const failed = await home.read(body.executionId);
  expect(failed.statusMessage).toContain('the key is ***');
  expect(JSON.stringify(failed)).not.toContain(SECRET);
});

test("parents and children mask each other's credentials, and retries the credentials of the execution before", async () => {
  const home = await makeHome();
  const { login, echo } = await gossip(home);
  const uses = await home.deploy({ nodes: [login] });
  const echoes = await home.deploy({ nodes: [echo], output: '{{ steps.echo.output.body }}' });
  const child = (id: string, workflowId: string) => control(id, 'runWorkflow', { workflowId });
  const executionId = await home.execute(
    await home.deploy({
      nodes: [
        child('uses', uses),
        echo,
        child('echoes', echoes),
        action('fails', 'testing.fail', { retryable: false }),
      ],
      edges: chain('uses', 'echo', 'echoes', 'fails'),
    }),
  );
  const parent = await home.ended(executionId);
  expect(parent.executionPath[1].output.body).toEqual(SHOWN);
  expect(parent.executionPath[2].output).toEqual(SHOWN);
  const { childExecutions } = await home.read(executionId, 'childExecutions');
  expect(childExecutions).toHaveLength(2);
  const children = await Promise.all(childExecutions.map(({ id }: { id: string }) => home.read(id)));
  const retried = await home.api('POST', `/api/executions/${executionId}/retry`, { body: { fromStep: 'echo' } });
  expect(retried.status).toBe(201);
  const again = await home.ended(retried.body.executionId);
  expect(again.executionPath[1].output.body).toEqual(SHOWN);
  expect(JSON.stringify([parent, children, again])).not.toContain(SECRET);
});

test('an agent does not receive it: in the result of a tool, or in the stored message', async () => {
  const home = await makeAgentHome();
  const { login, echo } = await gossip(home);
  const workflowId = await home.deploy({
    slug: 'gossip',
    trigger: manual(),
    nodes: [login, echo],
    edges: chain('login', 'echo'),
    output: '{{ steps.echo.output.body }}',
  });
  const agentId = await home.agent({ workflowIds: [workflowId] });
  const taskId = randomUUID();
  home.provider.answer(callTools({ id: 'rumour', name: 'workflow_gossip', arguments: {} }), say('Done'));
  const sent = await home.api('POST', `/api/agents/${agentId}/tasks/${taskId}/message`, {
    body: { message: userMessage('Ask around', randomUUID()) },
  });
  expect(sent.status).toBe(200);
  const result = home.provider.requests[1]?.body.messages.find(({ role }) => role === 'tool');
  expect(JSON.parse(String(result?.content))).toEqual(SHOWN);
  expect(JSON.stringify([sent.body, home.provider.requests])).not.toContain(SECRET);
  expect(JSON.stringify(sent.body)).toContain('the key is ***');
});

test('an execution without a connection has no secrets, and one with a connection stores only its id', async () => {
  const home = await makeAgentHome();
  const { login, connectionId } = await gossip(home);
  const rows = (executionId: string) =>
    home.database.executionSecret.findMany({ where: { rootId: executionId, workspaceId: home.workspaceId } });
  const without = await home.run({ nodes: [action('set', 'core.set', { values: { a: 1 } })] });
  expect(await rows(without.id)).toEqual([]);
  const used = await home.run({ nodes: [login] });
  expect(await rows(used.id)).toMatchObject([{ value: null, connectionId }]);
});
