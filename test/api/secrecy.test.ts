import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { inject } from '../setup/stack/inject.ts';
import { stackLog } from '../setup/stack/stackLog.ts';
import { engineStatus, stackTemporal } from '../setup/stack/temporal.ts';
import { textsOf } from '../setup/stack/textsOf.ts';
import { makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';
import { action, chain, control, edges, manual, question, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

describe('secrets of a workspace', () => {
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
  const MARKERS = Object.fromEntries(
    NAMES.map((name) => [name, `mark-${name}-${randomUUID().slice(0, 13)}`]),
  ) as Record<(typeof NAMES)[number], string>;

  function found(text: string): string[] {
    return Object.entries(MARKERS).flatMap(([name, marker]) => {
      const forms = [marker, btoa(marker).slice(0, 20), btoa(`ann:${marker}`).slice(8, 30)];
      return forms.some((form) => text.includes(form)) ? [name] : [];
    });
  }

  test('no history or log contains a credential, a variable or a payload', async () => {
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
    // The markers reached the execution, so their absence elsewhere is meaningful.
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

    const onFailureWorkflowId = await home.deploy({
      nodes: [action('a', 'core.transform', { value: '{{ trigger }}' })],
    });
    const bad = action('a', 'testing.fail', { message: MARKERS.message });
    const failed = await home.run({ nodes: [bad], onFailureWorkflowId }, { note: MARKERS.inputData });
    const handler = async () => (await home.read(failed.id, 'failureHandling')).failureHandling.execution?.id ?? '';
    await poll(handler, { timeout: 30_000 }).not.toBe('');
    const handled = await home.ended(await handler());
    expect(found(JSON.stringify(handled.output)).sort()).toEqual(['inputData', 'message']);
    ids.push(failed.id, handled.id);

    // Node tests return everything, but their histories contain nothing.
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
});

describe('secrets of agents', () => {
  /** Unique markers: a text with one contains words of users or models. */
  const mark = (name: string) => `mark-${name}-${randomUUID().slice(0, 13)}`;
  const SAID = {
    instructions: mark('instructions'),
    question: mark('question'),
    answer: mark('answer'),
    fact: mark('fact'),
    plan: mark('plan'),
    addition: mark('addition'),
    naming: mark('naming'),
  };
  const found = (text: string) => Object.values(SAID).filter((each) => text.includes(each));

  test('no history of a turn and no log contains texts of people or models', async () => {
    const home = await makeAgentHome({
      instructions: SAID.instructions,
      taskNamingInstructions: SAID.naming,
      ...{ memoryEnabled: true, requirePlanApproval: true, dynamicSelfInstructionsEnabled: true },
    });
    const steps = [
      callTools({ id: 'p', name: 'plan', arguments: { steps: [{ title: SAID.plan }] } }),
      callTools(
        { id: 'r', name: 'remember', arguments: { fact: SAID.fact } },
        { id: 'u', name: 'update_own_instructions', arguments: { instructions: SAID.addition } },
        { id: 'l', name: 'recall', arguments: { query: SAID.fact } },
        { id: 'w', name: 'recall', arguments: { limit: SAID.question } },
      ),
      say(SAID.answer),
    ];
    home.provider.answerBy(({ body }) => {
      const isNaming = String(body.messages[0]?.content).includes(SAID.naming);
      // The log reports the failure without the provider's input or message.
      return isNaming ? [{ status: 400, error: { message: 'Bad' } }] : (steps.shift() ?? []);
    });
    const taskId = randomUUID();
    const path = `/api/agents/${home.agentId}/tasks/${taskId}/message`;
    await home.api('POST', path, { body: { message: userMessage(SAID.question) } });
    const asked = await home.turn(taskId);
    expect(asked.status).toBe('NEEDS_APPROVAL');
    const parts = [{ type: 'tool-approval-response', approvalId: 'approve-p', approved: true, reason: SAID.answer }];
    const { status } = await home.api('POST', path, { body: { message: { role: 'assistant', parts } } });
    expect(status).toBe(200);
    const run = await home.turn(taskId);
    expect(run.status).toBe('COMPLETED');
    const { workflow } = await stackTemporal();
    for (const { id } of [asked, run]) {
      await engineStatus(id);
      const handle = workflow.getHandle(id);
      const texts = textsOf([await handle.fetchHistory(), (await handle.describe()).raw]);
      expect(texts).toContain(home.workspaceId);
      expectAbout(found(texts), `in the history of ${id}`).toEqual([]);
    }
    const said = JSON.stringify(home.provider.requests.map(({ body }) => body));
    for (const each of [SAID.instructions, SAID.question, SAID.fact, SAID.plan, SAID.addition, SAID.naming])
      expect(said).toContain(each);

    const folder = join(inject('stack').dataDir, 'logs');
    const logs = (await readdir(folder)).filter((name) => /(perdure|api-\d|worker-\d)\.log$/.test(name));
    const texts = await Promise.all(logs.map((name) => readFile(join(folder, name), 'utf8')));
    expect(texts.join('')).toContain('a task could not be named');
    expect(found(texts.join(''))).toEqual([]);
  });
});

describe('secrets of links', () => {
  test('no history or log contains the token of a link, whether it is read, forwarded, used or rejected', async () => {
    const home = await makeHome();
    const inner = await home.deploy({
      nodes: [
        question('ask', { submitters: 'link' }),
        action('sent', 'testing.succeed', { output: '{{ steps.ask.link }}' }),
      ],
      edges: chain('ask', 'sent'),
    });
    const nodes = [
      question('ask', { submitters: 'link' }),
      action('mail', 'testing.succeed', { output: '{{ "at " + steps.ask.link }}' }),
      action('bad', 'core.assert', { condition: false, message: '{{ steps.ask.link }}' }, { onError: 'continue' }),
      control('each', 'forEach', { items: [1, 2], concurrency: 2 }),
      question('inside', { submitters: 'link' }, { parentId: 'each' }),
      action('beside', 'testing.succeed', { output: '{{ steps.inside.link }}' }, { parentId: 'each' }),
      control('sub', 'runWorkflow', { workflowId: inner, input: { link: '{{ steps.ask.link }}' } }),
    ];
    const executionId = await home.execute(await home.deploy({ nodes, edges: edges('ask>mail') }));
    const asked = (id: string, count: number) => home.until(id, ({ pendingInput }) => pendingInput?.length === count);
    const links: string[] = (await asked(executionId, 3)).pendingInput.map(({ link }: { link: string }) => link);
    await home.until(executionId, ({ executionPath }) =>
      executionPath.some(
        (step: { nodeId: string; input?: { executionId?: string } }) =>
          step.nodeId === 'sub' && step.input?.executionId,
      ),
    );
    const [child] = (await home.read(executionId, 'childExecutions')).childExecutions;
    links.push((await asked(child.id, 1)).pendingInput[0].link);
    const tokens = links.map((link) => new URL(link, home.url).searchParams.get('token') ?? '');
    for (const token of tokens) expect(token.length).toBeGreaterThan(20);

    const open = api(home.url);
    for (const link of links) {
      const { pathname, search } = new URL(link, home.url);
      const path = pathname + search;
      expect((await open('POST', path, { body: { wrong: 'x' } })).status).toBe(400);
      expect((await open('POST', path, { body: { answer: 'x' } })).status).toBe(200);
      expect((await open('POST', path, { body: { answer: 'x' } })).status).toBe(409);
    }
    expect((await home.ended(executionId)).status).toBe('COMPLETED');

    const { workflow } = await stackTemporal();
    for (const id of [executionId, child.id]) {
      await engineStatus(id);
      const handle = workflow.getHandle(id);
      const texts = textsOf([await handle.fetchHistory(), (await handle.describe()).raw]);
      expect(texts).toContain(home.workspaceId);
      expect(tokens.filter((token) => texts.includes(token))).toEqual([]);
    }
    // Logs exist, but do not contain the tokens.
    expect(await stackLog('"level"')).not.toEqual([]);
    for (const token of tokens) expect(await stackLog(token)).toEqual([]);
  }, 60_000);
});
