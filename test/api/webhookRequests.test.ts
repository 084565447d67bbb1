import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Field } from '../../domain/field.ts';
import { api } from '../setup/api/client.ts';
import { action, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const home = await makeHome();
const nodes = [action('all', 'core.transform', { value: '{{ trigger }}' })];
const deploy = async (config: object) => {
  const id = await home.deploy({ trigger: webhook({ respond: 'whenFinished', ...config }), nodes });
  return new URL(`/api/webhooks/workflows/${id}`, home.url);
};
const url = await deploy({});
const started = async () => (await home.api('GET', '/api/executions?limit=1000')).body.length;

async function send(
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = {},
  to = url,
  method = 'POST',
) {
  const answer = await fetch(to, { method, body, headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
}

test.each(['POST', 'PUT'])('%s: forms, text, files and bytes reach the workflow', async (method) => {
  const form = await send(new URLSearchParams('a=1&b=x+y&a=2'), {}, url, method);
  expect(form.body.body).toEqual({ a: ['1', '2'], b: 'x y' });
  expect(form.body.headers['content-type']).toContain('application/x-www-form-urlencoded');
  expect((await send('Grüße', { 'content-type': 'text/plain' }, url, method)).body.body).toBe('Grüße');
  const bytes = Buffer.from([0, 255, 10, 13]);
  const raw = await send(bytes, { 'content-type': 'application/octet-stream' }, url, method);
  expect(raw.body.body).toEqual({ contentType: 'application/octet-stream', size: 4, base64: bytes.toString('base64') });
  const parts = new FormData();
  parts.set('note', 'June');
  parts.append('scan', new Blob([bytes], { type: 'image/png' }), 'ä.png');
  expect((await send(parts, {}, url, method)).body.body).toEqual({
    note: 'June',
    files: [{ field: 'scan', name: 'ä.png', contentType: 'image/png', size: 4, base64: bytes.toString('base64') }],
  });
});

test('a broken body is 400 with its place, one that is too large 413, and nothing starts', async () => {
  const before = await started();
  const form = 'application/x-www-form-urlencoded';
  const broken = await send('a=%x', { 'content-type': form });
  expect(broken).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path: '' }] } });
  expect(broken.body.detail).toContain('character 3');
  const json = await send('{"a": 1,\n "b": }', { 'content-type': 'application/json' });
  expect(json).toMatchObject({ status: 400, body: { errors: [{ path: '' }] } });
  expect(json.body.detail).toContain('line 2, column 7');
  const cut = await send('--xx\r\nContent-Disposition: form-data; name="a"\r\n\r\n1', {
    'content-type': 'multipart/form-data; boundary=xx',
  });
  expect(cut).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  const many = await send('a=1&'.repeat(1_001), { 'content-type': form });
  expect(many).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  const parts = new FormData();
  parts.append('scan', new Blob([Buffer.alloc(1_100_000)]), 'big');
  expect(await send(parts)).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  expect(await started()).toBe(before);
});

test('an integer that a double cannot hold is text of the same digits, from a webhook and from execute', async () => {
  const text =
    '{"id":12345678901234567890,"odd":9007199254740993,"even":9007199254740992,"round":100000000000000000000}';
  const kept = { id: '12345678901234567890', odd: '9007199254740993', even: 2 ** 53, round: 1e20 };
  const json = { 'content-type': 'application/json' };
  expect((await send(text, json)).body.body).toEqual(kept);

  const execute = (workflowId: string, inputData: string) => {
    const to = new URL(`/api/executions/workflows/${workflowId}/execute`, home.url);
    return send(`{"inputData":${inputData}}`, { ...json, 'x-api-key': home.apiKey }, to);
  };
  const { executionId } = (await execute(await home.deploy({ nodes }), text)).body;
  expect((await home.ended(executionId)).output).toEqual(kept);

  const fields: Field[] = [{ key: 'id', label: 'Id', type: 'number', required: true }];
  const typed = await home.deploy({ trigger: { id: 'trigger', type: 'manual', config: { fields } }, nodes });
  expect(await execute(typed, '{"id":9007199254740993}')).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'inputData.id' }] },
  });
});

test('only a caller with the secret receives the mistakes of a body', async () => {
  const secret = await deploy({ secret: 'open sesame' });
  const type = { 'content-type': 'application/json' };
  expect((await send('{', type, secret)).status).toBe(401);
  expect((await send('{', { ...type, 'x-webhook-secret': 'open sesame' }, secret)).status).toBe(400);
});

test('one Idempotency-Key is one execution, for a form under another boundary too, and for a GET', async () => {
  const before = await started();
  const form = (note: string) => {
    const parts = new FormData();
    parts.set('note', note);
    return parts;
  };
  const key = { 'idempotency-key': 'form-1' };
  const first = await send(form('June'), key);
  const again = await send(form('June'), key);
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.headers.get('x-execution-id')).toBe(first.headers.get('x-execution-id'));
  expect((await send(form('July'), key)).status).toBe(409);
  expect((await send(form('June'), { 'idempotency-key': 'x'.repeat(256) })).status).toBe(400);
  for (const method of ['GET', 'PUT']) {
    const ask = (query: string) =>
      fetch(new URL(`?${query}`, url), { method, headers: { 'idempotency-key': `${method}-1` } });
    const [one, two, other] = [await ask('a=1'), await ask('a=1'), await ask('a=2')];
    expect([one.status, two.status, other.status]).toEqual([200, 200, 409]);
    expect(two.headers.get('x-execution-id')).toBe(one.headers.get('x-execution-id'));
  }
  expect(await started()).toBe(before + 3);
});

describe('methods', () => {
  const done = action('done', 'core.set', { values: { done: true } });

  test('a webhook takes GET and POST unless it says which; another method is 405 and starts nothing', async () => {
    const home = await makeHome();
    const CASES = [
      [undefined, ['GET', 'POST', 'PUT'], ''],
      [['POST'], ['POST', 'PUT'], 'POST, PUT'],
      [['GET'], ['GET'], 'GET'],
    ] as const;
    for (const [methods, taken, allow] of CASES) {
      const config = { secret: 'sesame', ...(methods ? { methods } : {}) };
      const id = await home.deploy({ slug: 'hook', trigger: webhook(config), nodes: [done] });
      const started = async () => (await home.api('GET', '/api/executions')).body.length as number;
      let before = await started();
      for (const method of ['GET', 'POST', 'PUT']) {
        const headers = { 'x-webhook-secret': 'sesame' };
        const answer = await home.api(method, `/api/webhooks/workflows/${id}`, { headers });
        if ((taken as readonly string[]).includes(method)) {
          expect([method, answer.status]).toEqual([method, 200]);
          before += 1;
        } else {
          expect([method, answer.status, answer.body.code]).toEqual([method, 405, 'METHOD_NOT_ALLOWED']);
          expect(answer.headers.get('allow')).toBe(allow);
        }
      }
      expect(await started()).toBe(before);
    }
  });

  test.each([[[]], [['PATCH']], [['GET', 'GET']], ['GET']])(
    'methods %j are refused with their place',
    async (methods) => {
      const home = await makeHome();
      const body = { slug: 'hook', trigger: webhook({ methods }), nodes: [done], edges: [] };
      const answer = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body });
      expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, 'trigger.config.methods']);
    },
  );

  test('the features tell the version and the console to all, and where the engine is to those who may read executions', async () => {
    const home = await makeHome();
    const path = '/api/discovery/enabled-features';
    const whole = (await home.api('GET', path)).body;
    expect(whole).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      consoleUrl: new URL('/console/', home.url).href,
      temporalUiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      temporalNamespace: 'default',
    });
    const made = await home.api('POST', '/api/api-keys', { body: { name: 'reader', permissions: ['workflows:read'] } });
    const { temporalUiUrl: _, temporalNamespace: __, ...rest } = whole;
    expect((await api(home.url, made.body.apiKey)('GET', path)).body).toEqual(rest);
  });
});

describe('credentials', () => {
  const nodes = [action('all', 'core.transform', { value: '{{ trigger }}' })];
  const CREDENTIALS = [
    'authorization',
    'cookie',
    'x-api-key',
    'proxy-authorization',
    'x-webhook-secret',
    'x-my-signature',
  ];

  test("a sender's credentials stay out of the execution, with every trigger setting", async () => {
    const home = await makeHome();
    const secret = randomUUID();
    const hmac = { secret: 'shared', header: 'X-My-Signature', format: 'body' };
    const workflowId = await home.deploy({ trigger: webhook({ respond: 'whenFinished', secret, hmac }), nodes });
    const body = '{"a":1}';
    const signature = createHmac('sha256', 'shared').update(body).digest('hex');
    const mark = randomUUID();
    const given: Record<string, string> = {
      ...Object.fromEntries(CREDENTIALS.map((name) => [name, `Basic ${mark}`])),
      'x-webhook-secret': secret,
      'x-my-signature': signature,
      'x-kept': 'yes',
    };
    const answer = await api(home.url)('POST', `/api/webhooks/workflows/${workflowId}`, { body, headers: given });
    expect(answer).toMatchObject({ status: 200, body: { body: { a: 1 }, headers: { 'x-kept': 'yes' } } });
    const rows = await stackDatabase().$queryRaw<object[]>`
    SELECT to_jsonb(e) AS execution, (SELECT jsonb_agg(to_jsonb(s)) FROM execution_steps s WHERE s.execution_id = e.id) AS steps
    FROM executions e WHERE e.workspace_id = ${home.workspaceId}::uuid`;
    expect(rows).toHaveLength(1);
    for (const text of [JSON.stringify(answer.body), JSON.stringify(rows)]) {
      expect(text).toContain('x-kept');
      for (const hidden of [...CREDENTIALS, mark, secret, signature]) expect(text).not.toContain(hidden);
    }
  });

  test.each(CREDENTIALS.slice(0, 5))('%s cannot be the duplicate key', async (name) => {
    const home = await makeHome();
    const duplicates = { key: `{{ trigger.headers["${name}"] }}`, forMs: 60_000 };
    const workflowId = await home.deploy({ trigger: webhook({ duplicates }), nodes });
    const path = `/api/webhooks/workflows/${workflowId}`;
    const answer = await api(home.url)('POST', path, { body: {}, headers: { [name]: 'Basic abc' } });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'trigger.config.duplicates.key' }] } });
    expect((await home.api('GET', '/api/executions')).body).toEqual([]);
  });
});

describe('signatures', () => {
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
    // JSON.stringify would not reproduce these spaces and this order.
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

  test('with a secret, both are required, and neither reaches the workflow', async () => {
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
});
