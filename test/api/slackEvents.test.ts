import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { action, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

const SECRET = 'slack-signing-secret-1';
const nodes = [action('event', 'core.transform', { value: '{{ trigger.body.event }}' })];
const config = { appId: 'slack', triggerId: 'events', hmac: { secret: SECRET } };

interface Sending {
  secret?: string;
  agoMs?: number;
  headers?: Record<string, string>;
  method?: string;
}

async function listening(inputs: object = {}, more: object = {}) {
  const home = await makeHome();
  const id = await home.deploy({ slug: 'events', trigger: webhook({ ...config, inputs }), nodes, ...more });
  const url = new URL(`/api/webhooks/workflows/${id}`, home.url);
  async function send(
    body: object | string,
    { secret = SECRET, agoMs = 0, headers = {}, method = 'POST' }: Sending = {},
  ) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const time = String(Math.floor((Date.now() - agoMs) / 1_000));
    const digest = createHmac('sha256', secret).update(`v0:${time}:${text}`).digest('hex');
    const answer = await fetch(url, {
      method,
      ...(method === 'GET' ? {} : { body: text }),
      headers: {
        ...{
          'content-type': 'application/json',
          'x-slack-request-timestamp': time,
          'x-slack-signature': `v0=${digest}`,
        },
        ...headers,
      },
    });
    const said = await answer.text();
    return {
      ...{ status: answer.status, executionId: answer.headers.get('x-execution-id') },
      body: said === '' ? undefined : JSON.parse(said),
    };
  }
  const started = async () => (await home.api('GET', '/api/executions')).body.length;
  return { home, id, send, started };
}

const event = (eventId: string, members: object = {}) => {
  return {
    type: 'event_callback',
    event_id: eventId,
    event: { type: 'message', channel: 'C1', text: 'hi', ...members },
  };
};

test('an event starts an execution, once however often Slack sends it', async () => {
  const { home, send, started } = await listening();
  const first = await send(event('Ev1'));
  expect(first).toMatchObject({ status: 200, body: undefined });
  const execution = await home.ended(first.executionId ?? '');
  expect(execution).toMatchObject({ status: 'COMPLETED', output: { type: 'message', text: 'hi' } });
  const again = await Promise.all(
    ['1', '2', '3'].map((retry) => send(event('Ev1'), { headers: { 'x-slack-retry-num': retry } })),
  );
  expect(again.map(({ status, executionId }) => [status, executionId])).toEqual(
    again.map(() => [200, first.executionId]),
  );
  expect(await started()).toBe(1);
  expect((await send(event('Ev2'))).executionId).not.toBe(first.executionId);
  const input = await home.api('GET', `/api/executions/${first.executionId}/input`);
  expect(JSON.stringify(input.body)).toContain('x-slack-request-timestamp');
  expect(JSON.stringify(input.body)).not.toMatch(/v0=|slack-signing-secret/);
});

test('a wrong signature, an old one and a GET start nothing', async () => {
  const { send, started } = await listening();
  expect(await send(event('Ev1'), { secret: 'other' })).toMatchObject({
    ...{ status: 401, body: { detail: 'The signature in X-Slack-Signature is missing or wrong' } },
  });
  expect(await send(event('Ev1'), { agoMs: 301_000 })).toMatchObject({
    ...{ status: 401, body: { detail: 'The time of the signature in X-Slack-Signature is outside the tolerance' } },
  });
  expect(await send('', { method: 'GET' })).toMatchObject({ status: 405 });
  expect(await send('{"a":')).toMatchObject({ status: 400 });
  expect(await started()).toBe(0);
});

test('unwanted events are answered and start nothing', async () => {
  const { home, send, started } = await listening({ events: 'app_mention, message', channel: 'C1' });
  // The workflow is cached now; a change counts at once.
  expect((await send(event('Ev0'))).executionId).toBeTruthy();
  const unwanted = [
    ...[event('Ev1', { type: 'reaction_added' }), event('Ev2', { channel: 'C2' }), event('Ev3', { bot_id: 'B1' })],
    { type: 'app_rate_limited', team_id: 'T1' },
  ];
  for (const body of unwanted) expect(await send(body)).toEqual({ status: 200, executionId: null, body: undefined });
  expect(await started()).toBe(1);
  const inputs = { events: 'reaction_added' };
  await home.deploy({ slug: 'events', trigger: webhook({ ...config, inputs }), nodes });
  expect((await send(event('Ev1', { type: 'reaction_added' }))).executionId).toBeTruthy();
  expect((await send(event('Ev4'))).executionId).toBeNull();
  expect(await started()).toBe(2);
});

test('the challenge is answered before and after the workflow is switched on', async () => {
  const { home, id, send, started } = await listening({}, { isActive: false });
  const challenge = { type: 'url_verification', challenge: 'abc', token: 'x' };
  const answered = { status: 200, executionId: null, body: { challenge: 'abc' } };
  expect(await send(challenge)).toEqual(answered);
  expect(await send(challenge, { secret: 'other' })).toMatchObject({ status: 404 });
  expect(await send(event('Ev1'))).toMatchObject({ status: 404 });
  await home.api('PATCH', `/api/workflows/${id}`, { body: { isActive: true } });
  expect(await send(challenge)).toEqual(answered);
  expect(await send(challenge, { secret: 'other' })).toMatchObject({ status: 401 });
  expect(await started()).toBe(0);
  expect(await send(event('Ev1'))).toMatchObject({ status: 200 });
});

test('the secret is masked in reads, kept by the mask, and the trigger is named', async () => {
  const { home, id, send } = await listening();
  const read = await home.api('GET', `/api/workflows/${id}?expansion=triggerNode,triggerAndActionIds`);
  const { triggerNode, triggerAndActionIds } = read.body;
  expect(triggerNode.config).toEqual({ ...config, inputs: {}, hmac: { secret: '********', format: 'slack' } });
  expect(triggerAndActionIds).toMatchObject({ triggerId: 'slack.events' });
  const projectId = home.projectId;
  const saved = await home.api('POST', `/api/projects/${projectId}/workflows/upsert`, {
    body: {
      slug: 'events',
      name: 'Events',
      trigger: triggerNode,
      nodes: [...nodes, action('more', 'core.transform', { value: 1 })],
      edges: [],
    },
  });
  expect(saved.status).toBeLessThan(300);
  expect((await send(event('Ev1'))).status).toBe(200);
  const app = await home.api('GET', '/api/workflow-apps/slack');
  expect(app.body.triggers).toMatchObject([{ triggerId: 'events', webhook: { signature: 'slack' } }]);
});
