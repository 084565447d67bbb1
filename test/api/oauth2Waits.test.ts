import { expect, test } from '@jest/globals';
import { type OAuthProvider, startOAuthProvider } from '../setup/providers/oauthProvider.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const PATH = '/api/workflow-apps/http/connections/oauth2';

async function authorized(home: Home, provider: OAuthProvider, body: object): Promise<string> {
  const begun = await home.api('POST', `${PATH}/authorize`, { body });
  expect(begun.status).toBe(201);
  const back = await provider.authorize(begun.body.authorizationUrl);
  const answer = await provider.comeBack(back);
  const id = new URL(answer.headers.get('location') ?? '').searchParams.get('connected');
  expect(id).not.toBeNull();
  return String(id);
}

async function connectedHome() {
  const home = await makeHome();
  const redirectUri = `${home.url.replace(/\/$/, '')}/api/connections/oauth2/callback`;
  const provider = await startOAuthProvider({ redirectUri });
  const id = await authorized(home, provider, { name: 'Bank', credentials: provider.credentials });
  const call = (more: object = {}) => ({
    id: 'call',
    type: 'action' as const,
    name: 'Call',
    appId: 'http',
    actionId: 'request',
    connectionId: id,
    inputs: { url: `${provider.issuer}/api/me` },
    ...more,
  });
  return { home, provider, id, call };
}

const isWaiting = ({ status }: { status: string }) => status === 'WAITING';

test('a step waits for a connection that must be authorized again, and continues when it is', async () => {
  const { home, provider, id, call } = await connectedHome();
  provider.revokeAll();
  const after = { id: 'after', type: 'action' as const, appId: 'core', actionId: 'set', inputs: { values: { a: 1 } } };
  const edges = [{ id: 'e', source: 'call', target: 'after' }];
  const executionId = await home.execute(await home.deploy({ nodes: [call(), after], edges }));
  const waiting = await home.until(executionId, isWaiting);
  expect(waiting.statusMessage).toBe('Waits for the connection "Bank" to be authorized again');
  expect(stepOf(await home.read(executionId), 'call')).toMatchObject({
    status: 'WAITING',
    attempt: 1,
    error: { code: 'CONNECTION_NEEDS_RECONNECT', message: 'The connection "Bank" must be authorized again' },
  });
  const status = async () => (await home.api('GET', `/api/connections/${id}?expansion=status`)).body.status;
  expect(await status()).toBe('needsReconnect');
  const list = async (of: string) =>
    (await home.api('GET', `/api/executions?filterBy=waitingForConnection:${of}`)).body.map(
      (each: { id: string }) => each.id,
    );
  expect(await list(id)).toEqual([executionId]);
  expect(await list(executionId)).toEqual([]);
  const tested = await home.api('POST', `/api/connections/${id}/test`);
  expect(tested.body).toMatchObject({
    id,
    status: 'failed',
    message: 'The connection "Bank" must be authorized again',
  });

  expect(await authorized(home, provider, { connectionToRenew: id })).toBe(id);
  const ended = await home.ended(executionId);
  expect(ended).toMatchObject({ status: 'COMPLETED', statusMessage: null });
  expect(stepOf(ended, 'call')).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(stepOf(ended, 'call')).not.toHaveProperty('error');
  expect(await status()).toBe('connected');
  expect(await list(id)).toEqual([]);
  expect(await stackDatabase().stepWait.count({ where: { awaited: id } })).toBe(0);
  for (const token of provider.given) expect(JSON.stringify(ended)).not.toContain(token);
});

test('steps in iterations of a loop wait and continue like others', async () => {
  const { home, provider, id, call } = await connectedHome();
  provider.revokeAll();
  const items = Array.from({ length: 12 }, (_, index) => index);
  const loop = { id: 'all', type: 'forEach' as const, name: 'All', inputs: { items, concurrency: 12 } };
  const executionId = await home.execute(await home.deploy({ nodes: [loop, call({ parentId: 'all' })] }));
  await home.until(executionId, ({ executionPath }) => {
    const steps = executionPath.filter(({ nodeId }: { nodeId: string }) => nodeId === 'call');
    return steps.length === 12 && steps.every(isWaiting);
  });
  await authorized(home, provider, { connectionToRenew: id });
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
});

test('a step that nobody reconnects fails when its time is over, by its error edge too', async () => {
  const { home, provider, call } = await connectedHome();
  provider.revokeAll();
  const node = call({ onReconnectTimeoutMs: 1_500, onError: 'route' });
  const handled = {
    id: 'handled',
    type: 'action' as const,
    appId: 'core',
    actionId: 'set',
    inputs: { values: { code: '{{ steps.call.error.code }}' } },
  };
  const edges = [{ id: 'e', source: 'call', sourceHandle: 'error', target: 'handled' }];
  const ended = await home.ended(await home.execute(await home.deploy({ nodes: [node, handled], edges })));
  expect(ended).toMatchObject({ status: 'COMPLETED', output: { code: 'RECONNECT_TIMEOUT' } });
});

test('a waiting execution can be cancelled', async () => {
  const { home, provider, call } = await connectedHome();
  provider.revokeAll();
  const executionId = await home.execute(await home.deploy({ nodes: [call()] }));
  await home.until(executionId, isWaiting);
  await home.api('POST', `/api/executions/${executionId}/cancel`);
  expect((await home.ended(executionId)).status).toBe('CANCELLED');
});

test('a node test does not wait: it says so', async () => {
  const { home, provider, call } = await connectedHome();
  provider.revokeAll();
  const workflowId = await home.deploy({ nodes: [call()] });
  const tested = await home.api('POST', `/api/workflows/${workflowId}/nodes/call/test`, { body: {} });
  expect(tested.body).toMatchObject({ status: 'FAILED', error: { code: 'CONNECTION_NEEDS_RECONNECT' } });
});
