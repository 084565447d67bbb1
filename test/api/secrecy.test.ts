import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { inject } from '../setup/stack/inject.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { textsOf } from '../setup/stack/textsOf.ts';
import { action, chain, edges, manual, question, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

/** Unique markers: a text with one contains our input. */
const NAMES = [
  'credential',
  'password',
  'variable',
  'webhookBody',
  'webhookHeader',
  'webhookSecret',
  'inputData',
  'answer',
  'message',
  'served',
  'value',
  'stopped',
  'query',
] as const;
const MARKERS = Object.fromEntries(NAMES.map((name) => [name, `mark-${name}-${randomUUID().slice(0, 13)}`])) as Record<
  (typeof NAMES)[number],
  string
>;

function found(text: string): string[] {
  return Object.entries(MARKERS).flatMap(([name, marker]) => {
    const forms = [marker, btoa(marker).slice(0, 20), btoa(`ann:${marker}`).slice(8, 30)];
    return forms.some((form) => text.includes(form)) ? [name] : [];
  });
}

test('no credential, no variable, no payload stands in a history or in a log', async () => {
  const home = await makeHome();
  const server = await loopback(({ url }, response) => {
    if (url.startsWith('/bad')) response.writeHead(500).end(MARKERS.served);
    else
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ served: MARKERS.served }));
  });
  const connect = (type: string, credentials: object) =>
    home.api('POST', `/api/workflow-apps/http/connections/${type}/connect`, {
      body: { credentials: { ...credentials, allowedHosts: ['127.0.0.1'] } },
    });
  const key = await connect('apiKey', { apiKey: MARKERS.credential });
  const basic = await connect('basic', { username: 'ann', password: MARKERS.password });
  await home.api('POST', '/api/variables', { body: { name: 'token', value: MARKERS.variable } });
  const retry = { maximumAttempts: 2, initialIntervalMs: 10 };
  const call = (id: string, path: string, connectionId: string, more: object = {}) =>
    action(
      id,
      'http.request',
      {
        method: 'POST',
        url: `${server.url}${path}?q=${MARKERS.query}`,
        headers: { 'x-var': '{{ variables.token }}' },
        body: '{{ trigger }}',
      },
      { connectionId, ...more },
    );

  const ids: string[] = [];
  const good = await home.deploy({
    trigger: manual({ key: 'note', label: 'Note', type: 'text', required: true }),
    nodes: [
      call('key', '/good', key.body.id),
      call('basic', '/good', basic.body.id),
      call('bad', '/bad', basic.body.id, { retry, onError: 'continue' }),
      action('value', 'core.set', { values: { fixed: MARKERS.value, served: '{{ steps.key.output.body.served }}' } }),
      question('ask', { instructions: MARKERS.value, title: '{{ trigger.note }}' }),
      action('echo', 'core.transform', { value: '{{ steps.ask.output }}' }),
    ],
    edges: chain('key', 'basic', 'bad', 'value', 'ask', 'echo'),
    output: { all: '{{ [steps.echo.output, variables.token] }}' },
  });
  const asked = await home.execute(good, { note: MARKERS.inputData });
  ids.push(asked);
  await home.asked(asked, 'ask');
  expect((await home.submit(asked, 'ask', { answer: 1, wrong: MARKERS.answer })).status).toBe(400);
  expect((await home.submit(asked, 'ask', { answer: MARKERS.answer })).status).toBe(200);
  const done = await home.ended(asked);
  // The markers reached the execution, so their absence below is meaningful.
  expect(found(JSON.stringify(done)).sort()).toEqual(['answer', 'inputData', 'query', 'served', 'value', 'variable']);
  expect(JSON.stringify(server.calls)).toContain(MARKERS.credential);

  const failing = [
    [action('a', 'testing.fail', { message: `${MARKERS.message} {{ trigger.note }}` }, { retry })],
    [action('a', 'core.assert', { condition: false, message: '{{ variables.token }}' })],
    [action('a', 'core.transform', { value: `{{ trigger.note + 1 == "${MARKERS.value}" }}` })],
    [action('a', 'core.set', { values: '{{ variables.token }}' as never })],
    [call('a', '/bad', key.body.id)],
    [
      action('a', 'http.request', {
        method: 'GET',
        url: `http://127.0.0.1:1/${MARKERS.value}?t={{ variables.token }}`,
      }),
    ],
    [action('a', 'text.parseJson', { text: '{{ trigger.note }}' })],
    [
      {
        id: 'a',
        type: 'stop' as const,
        inputs: { outcome: 'failed', message: MARKERS.stopped, output: '{{ trigger }}' },
      },
    ],
    [{ id: 'a', type: 'condition' as const, inputs: { condition: '{{ trigger.note }}' } }],
    [{ id: 'a', type: 'switch' as const, inputs: { cases: [{ name: 'x', when: '{{ variables.token }}' }] } }],
    [action('a', 'testing.wait', { ms: '{{ trigger.note }}' })],
  ];
  for (const nodes of failing) {
    const execution = await home.run({ nodes }, { note: MARKERS.inputData });
    expectAbout(execution.status, JSON.stringify(nodes)).toBe('FAILED');
    ids.push(execution.id);
  }

  const hook = await home.deploy({
    trigger: webhook({ respond: 'whenFinished', secret: MARKERS.webhookSecret }),
    nodes: [
      action('all', 'testing.succeed', { output: '{{ trigger }}' }),
      action('bad', 'core.assert', { condition: false, message: '{{ json(trigger.body) }}' }),
    ],
    edges: edges('all>bad'),
  });
  const headers = { 'x-custom': MARKERS.webhookHeader, 'x-webhook-secret': MARKERS.webhookSecret };
  const answer = await api(home.url)('POST', `/api/webhooks/workflows/${hook}?q=${MARKERS.query}`, {
    body: { deep: [MARKERS.webhookBody] },
    headers,
  });
  expect(answer.status).toBe(500);
  ids.push(answer.body.executionId);
  await api(home.url)('POST', `/api/webhooks/workflows/${hook}`, {
    body: `{"broken": "${MARKERS.webhookBody}`,
    headers,
  });
  const run = await home.api('POST', '/api/actions/run', {
    body: { appId: 'testing', actionId: 'fail', inputs: { message: MARKERS.message } },
  });
  ids.push(run.body.executionId);

  // An error workflow, which gets all of it.
  const onFailureWorkflowId = await home.deploy({ nodes: [action('a', 'core.transform', { value: '{{ trigger }}' })] });
  const bad = action('a', 'testing.fail', { message: MARKERS.message });
  const failed = await home.run({ nodes: [bad], onFailureWorkflowId }, { note: MARKERS.inputData });
  const handler = async () => (await home.read(failed.id, 'failureHandling')).failureHandling.execution?.id ?? '';
  await poll(handler, { timeout: 30_000 }).not.toBe('');
  const handled = await home.ended(await handler());
  expect(found(JSON.stringify(handled.output)).sort()).toEqual(['inputData', 'message']);
  ids.push(failed.id, handled.id);

  // Tests of nodes, whose answers are whole and whose histories tell nothing.
  const tested = await home.api('POST', `/api/workflows/${good}/nodes/key/test`, {
    body: {
      trigger: { note: MARKERS.inputData },
      inputs: { method: 'GET', url: `${server.url}/good?q=${MARKERS.query}` },
    },
  });
  expect(found(JSON.stringify(tested.body))).toEqual(['served']);
  const refused = await home.api('POST', `/api/workflows/${good}/nodes/value/test`, {
    body: { steps: { key: { body: MARKERS.served } }, inputs: { values: { n: '{{ steps.key.output.body + 1 }}' } } },
  });
  expect(refused.body.status).toBe('FAILED');
  const { workflow } = await stackTemporal();
  const tests = async () => {
    const query = `WorkflowType = "testNode" AND PerdureWorkspace = "${home.workspaceId}"`;
    const found: string[] = [];
    for await (const { workflowId } of workflow.list({ query })) found.push(workflowId);
    return found;
  };
  await poll(async () => (await tests()).length, { timeout: 30_000 }).toBe(2);
  ids.push(...(await tests()));
  for (const id of ids) {
    const handle = workflow.getHandle(id);
    await handle.result().catch(() => undefined);
    const texts = textsOf([await handle.fetchHistory(), (await handle.describe()).raw]);
    expect(texts).toContain(home.workspaceId);
    expectAbout(found(texts), `in the history of ${id}`).toEqual([]);
  }
  const { dataDir } = inject('stack');
  const logs = (await readdir(join(dataDir, 'logs'))).map((name) => join(dataDir, 'logs', name));
  expect(logs.length).toBeGreaterThan(0);
  // The layout of docker-compose.yml keeps Temporal's state in Postgres; its histories were read above.
  const stored = ['temporal.db', 'temporal.db-wal'].map((name) => join(dataDir, name)).filter(existsSync);
  for (const file of [...logs, ...stored]) {
    const text = await readFile(file, 'latin1');
    expectAbout(found(text), file).toEqual([]);
  }
  const ours = logs.filter((path) => /(perdure|api-\d|worker-\d)\.log$/.test(path));
  for (const path of ours) expect((await readFile(path, 'utf8')).length).toBeGreaterThan(0);
  expect(ours.length).toBeGreaterThan(0);
});
