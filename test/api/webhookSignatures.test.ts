import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { action, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

const nodes = [action('all', 'core.transform', { value: '{{ trigger }}' })];

async function hooked(config: object) {
  const home = await makeHome();
  const workflowId = await home.deploy({ trigger: webhook({ respond: 'whenFinished', ...config }), nodes });
  const path = `/api/webhooks/workflows/${workflowId}`;
  const send = (body: string | undefined, headers: Record<string, string>, method = 'POST') =>
    api(home.url)(method, path, { ...(body === undefined ? {} : { body }), headers });
  const started = async () => (await home.api('GET', '/api/executions')).body.length;
  return { home, send, started };
}

function sign(secret: string, body: string, time = Math.floor(Date.now() / 1_000)): string {
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}

test('a timestamped signature over the body as it came is asked for', async () => {
  const { send, started } = await hooked({ hmac: { secret: 'shared' } });
  // Spaces and order that no JSON.stringify would write again.
  const body = '{ "b" : 1.0,\n "a":"\\u00e4" }';
  const now = Math.floor(Date.now() / 1_000);
  for (const headers of [
    {},
    { 'x-signature': 'nonsense' },
    { 'x-signature': sign('other', body) },
    { 'x-signature': sign('shared', JSON.stringify(JSON.parse(body))) },
    { 'x-signature': sign('shared', body, now - 3_600) },
    { 'x-signature': sign('shared', body, now + 3_600) },
  ] as Record<string, string>[]) {
    expect(await send(body, headers)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  }
  expect(await started()).toBe(0);
  const right = await send(body, { 'x-signature': sign('shared', body) });
  expect(right).toMatchObject({ status: 200, body: { body: { a: 'ä', b: 1 } } });
  const [time, v1] = sign('shared', body).split(',');
  const rotated = await send(body, { 'x-signature': `${time},v1=${'0'.repeat(64)},${v1}` });
  expect(rotated.status).toBe(200);
  expect(await started()).toBe(2);
});

test('the header, the format and the empty body of a GET', async () => {
  const { send } = await hooked({ hmac: { secret: 'shared', header: 'X-Hub-Signature-256', format: 'body' } });
  const digest = (body: string) => createHmac('sha256', 'shared').update(body).digest('hex');
  const name = 'x-hub-signature-256';
  expect((await send('[1]', { [name]: `sha256=${digest('[1]')}` })).status).toBe(200);
  expect((await send('[1]', { [name]: digest('[1]') }, 'PUT')).status).toBe(200);
  expect((await send(undefined, { [name]: digest('') }, 'GET')).status).toBe(200);
  expect((await send('[1]', { [name]: digest('[2]') })).status).toBe(401);
  expect((await send('[1]', { 'x-signature': digest('[1]') })).status).toBe(401);
});

test('beside a secret both must hold, and neither reaches the workflow', async () => {
  const { send, started } = await hooked({ secret: 'open sesame', hmac: { secret: 'shared' } });
  const signature = sign('shared', '{}');
  expect((await send('{}', { 'x-signature': signature })).status).toBe(401);
  expect((await send('{}', { 'x-webhook-secret': 'open sesame' })).status).toBe(401);
  expect((await send('{}', { 'x-webhook-secret': 'wrong', 'x-signature': signature })).status).toBe(401);
  expect(await started()).toBe(0);
  const both = await send('{}', {
    'x-webhook-secret': 'open sesame',
    'x-signature': signature,
  });
  expect(both.status).toBe(200);
  expect(JSON.stringify(both.body)).not.toMatch(/sesame|shared|x-signature/);
});

test('a secret that is not ASCII is taken as senders write it in a header: in UTF-8, and in Latin-1', async () => {
  const inUtf8 = (text: string) => Buffer.from(text).toString('latin1');
  for (const [secret, right] of [
    ['sésame', ['sésame', inUtf8('sésame')]],
    ['秘密', [inUtf8('秘密')]],
  ] as const) {
    const { send, started } = await hooked({ secret });
    for (const given of [...right.map((text) => `${text}x`), 'sesame', '??']) {
      expect((await send('{}', { 'x-webhook-secret': given })).status).toBe(401);
    }
    expect(await started()).toBe(0);
    for (const given of right) expect((await send('{}', { 'x-webhook-secret': given })).status).toBe(200);
  }
});
