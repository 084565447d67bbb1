import { createHmac, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { action, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

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
