import { expect, test } from '@jest/globals';
import type { Field } from '../../domain/field.ts';
import { action, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

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
