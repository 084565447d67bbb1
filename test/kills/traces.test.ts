// test: long
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { executionSpan } from '../../domain/trace/spanIds.ts';
import { traceparent } from '../setup/api/traceparent.ts';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { say } from '../setup/providers/modelScript.ts';
import { otlpReceiver, type ReceivedSpan } from '../setup/providers/otlpReceiver.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { agentHomeOn, userMessage } from '../setup/workspace/agentHome.ts';
import { action, chain, control, edges, manual } from '../setup/workspace/graph.ts';
import type { Home } from '../setup/workspace/home.ts';

// The collector receives complete span trees, without duplicates, whatever process dies.

const PATIENCE = { timeout: 90_000, interval: 100 };
const SECRET = 'very-secret-words-4711';

const collector = await otlpReceiver();
const { stack, home, database } = await ownHome({
  environment: {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-token=of%20mine',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
    OTEL_SERVICE_NAME: 'orders',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  },
});

async function spansOf(traceId: string, executionId: string): Promise<ReceivedSpan[]> {
  const own = executionSpan(executionId);
  const here = () => collector.spans.filter((span) => span.traceId === traceId);
  await poll(() => here().map(({ spanId }) => spanId), PATIENCE).toContain(own);
  return here();
}

async function started(
  workflowId: string,
  headers: Record<string, string> = {},
  inputData: object = {},
  at: Home = home,
) {
  const path = `/api/executions/workflows/${workflowId}/execute`;
  const { body, status } = await at.api('POST', path, { body: { inputData }, headers });
  expect(status).toBe(201);
  return body.executionId as string;
}

/** Returns `parent / name` of each span, sorted. */
function tree(spans: readonly ReceivedSpan[]): string[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  return spans.map(({ name, parentSpanId }) => `${names.get(parentSpanId) ?? '-'} / ${name}`).sort();
}

const QUICK = { maximumAttempts: 3, initialIntervalMs: 1, backoffCoefficient: 1, maximumIntervalMs: 1 };

test('a tree of spans leads from the request to each attempt, model call and tool of all that it started', async () => {
  const agents = await agentHomeOn(home, database);
  const service = await loopback();
  const child = await home.deploy({
    name: 'child',
    trigger: manual(),
    nodes: [action('inner', 'testing.fail', { times: 1, message: SECRET }, { retry: QUICK })],
  });
  const clerk = await agents.agent({ tools: [{ appId: 'http', actionId: 'request' }] });
  agents.provider.answer(
    [{ toolCall: { id: 'c', name: 'http_request', arguments: { url: `${service.url}/?key=${SECRET}` } } }],
    say(SECRET),
  );
  const workflowId = await home.deploy({
    name: 'order',
    trigger: manual({ key: 'pin', label: 'PIN', type: 'secret' }),
    nodes: [
      control('each', 'forEach', { items: [1, 2] }),
      action('item', 'core.set', { values: { secret: SECRET } }, { parentId: 'each' }),
      control('sub', 'runWorkflow', { workflowId: child, input: {} }),
      action('ask', 'agent.run', { agentId: clerk, message: SECRET }),
      action('bad', 'testing.fail', { retryable: false, message: SECRET }, { onError: 'continue' }),
    ],
    edges: [
      ...edges('trigger>each'),
      ...chain('each', 'sub', 'ask', 'bad').map((edge) => ({ ...edge, id: `c${edge.id}` })),
    ],
  });
  const caller = traceparent();
  const executionId = await started(workflowId, { traceparent: caller.header }, { pin: SECRET });
  await home.finished(executionId);
  const spans = await spansOf(caller.traceId, executionId);
  await poll(
    () => collector.spans.filter(({ traceId }) => traceId === caller.traceId).map(({ name }) => name),
    PATIENCE,
  ).toEqual(expect.arrayContaining(['executeWorkflow', 'turn Agent', 'execution child']));
  const all = collector.spans.filter(({ traceId }) => traceId === caller.traceId);
  expect(all.length).toBeGreaterThanOrEqual(spans.length);
  expect(tree(all)).toEqual(
    [
      '- / executeWorkflow',
      'attempt 1 / execution child',
      'attempt 1 / turn Agent',
      'executeWorkflow / execution order',
      'execution http_request / step tool',
      'execution child / step inner',
      'execution order / step ask',
      'execution order / step bad',
      'execution order / step each',
      'execution order / step sub',
      'step ask / attempt 1',
      'step bad / attempt 1',
      'step each / step item',
      'step each / step item',
      'step inner / attempt 1',
      'step inner / attempt 2',
      'step item / attempt 1',
      'step item / attempt 1',
      'step sub / attempt 1',
      'step tool / attempt 1',
      'attempt 1 / GET',
      'tool http_request / execution http_request',
      'turn Agent / model call 1',
      'turn Agent / model call 2',
      'turn Agent / tool http_request',
    ].sort(),
  );
  expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(all.length);
  expect(all.find(({ name }) => name === 'executeWorkflow')?.parentSpanId).toBe(caller.spanId);
  const byName = (name: string) => all.find((span) => span.name === name);
  expect(byName('step bad')).toMatchObject({
    error: 'TEST_FAILURE',
    attributes: { 'error.type': 'TEST_FAILURE', 'perdure.app.id': 'testing', 'perdure.execution.id': executionId },
  });
  expect(all.filter(({ name, error }) => name.startsWith('attempt') && error).length).toBe(2);
  expect(byName('execution order')).toMatchObject({
    service: 'orders',
    attributes: { 'perdure.execution.status': 'COMPLETED' },
  });
  const { hostname, port } = new URL(service.url);
  expect(byName('GET')).toMatchObject({
    spanId: /^00-[\da-f]{32}-([\da-f]{16})-01$/.exec(String(service.calls[0]?.headers.traceparent))?.[1],
    attributes: {
      'http.request.method': 'GET',
      'server.address': hostname,
      'server.port': Number(port),
      'http.response.status_code': 200,
    },
  });
  for (const { startMs, endMs } of all) expect(endMs).toBeGreaterThanOrEqual(startMs);
  expect(collector.taken.at(-1)?.headers).toMatchObject({ 'x-token': 'of mine' });
  expect(collector.raw()).not.toContain(SECRET);
});

test('a worker is killed in the middle of a step, and just after an end: each span comes once', async () => {
  const { after, goOn } = gate();
  const service = await loopback((_, response) => {
    void after.then(() => response.writeHead(200).end('{}'));
  });
  const workflowId = await home.deploy({
    trigger: manual(),
    nodes: [action('a', 'core.set', { values: {} }), action('call', 'http.request', { url: service.url })],
    edges: edges('trigger>a', 'a>call'),
  });
  const short = await home.deploy({ trigger: manual(), nodes: [action('a', 'core.set', { values: {} })] });
  const cut = await started(workflowId);
  await poll(() => service.calls.length, PATIENCE).toBe(1);
  const just = await Promise.all(Array.from({ length: 5 }, () => started(short)));
  await Promise.all(just.map((id) => home.finished(id)));
  await stack.killMain();
  goOn();
  await stack.startAgain();
  await home.finished(cut);
  // The duty has run again by then, so duplicates would have arrived.
  const last = await started(short);
  await home.finished(last);
  for (const id of [cut, ...just, last]) {
    const { body } = await home.api('GET', `/api/executions/${id}?expansion=traceId`);
    const spans = (await spansOf(body.traceId, id)).filter(({ name }) => name !== 'executeWorkflow');
    const names = id === cut ? ['step a', 'step call', 'attempt 1', 'attempt 1', 'GET'] : ['step a', 'attempt 1'];
    expect(
      spans
        .map(({ name }) => name)
        .filter((name) => !name.startsWith('execution'))
        .sort(),
    ).toEqual(names.sort());
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  }
});

test('a collector that is away costs no execution anything, and has all of them when it is back', async () => {
  const workflowId = await home.deploy({ trigger: manual(), nodes: [action('a', 'core.set', { values: {} })] });
  collector.refuse(true);
  const ids = await Promise.all(Array.from({ length: 10 }, () => started(workflowId)));
  await Promise.all(ids.map((id) => home.finished(id)));
  const before = collector.refusals();
  await poll(() => collector.refusals() - before, PATIENCE).toBeGreaterThan(1);
  collector.refuse(false);
  const sent = () => collector.spans.map(({ spanId }) => spanId);
  for (const id of ids)
    await poll(() => sent().filter((spanId) => spanId === executionSpan(id)).length, PATIENCE).toBe(1);
  const log = await readFile(`${stack.dataDir}/logs/perdure.log`, 'utf8');
  expect(log).toContain('the collector of traces is away');
  expect(log).toContain('the collector of traces takes spans again');
});

test('a caller that does not record gets no spans sent, and its turn none either', async () => {
  const agents = await agentHomeOn(home, database);
  agents.provider.answerBy(() => say('Hi'));
  const workflowId = await home.deploy({ trigger: manual(), nodes: [action('a', 'core.set', { values: {} })] });
  const quiet = traceparent('00');
  const executionId = await started(workflowId, { traceparent: quiet.header });
  await home.finished(executionId);
  const answer = await agents.api('POST', `/api/agents/${agents.agentId}/tasks/quiet/message`, {
    body: { message: userMessage('Hi') },
    headers: { traceparent: quiet.header },
  });
  expect(answer.status).toBe(200);
  // Both end before this one.
  const loud = traceparent();
  await agents.api('POST', `/api/agents/${agents.agentId}/tasks/loud/message`, {
    body: { message: userMessage('Hi') },
    headers: { traceparent: loud.header },
  });
  await poll(() => collector.spans.filter(({ traceId }) => traceId === loud.traceId).length, PATIENCE).toBeGreaterThan(
    1,
  );
  expect(collector.spans.filter(({ traceId }) => traceId === quiet.traceId)).toEqual([]);
});

test("the Temporal server's process has none of the variables of traces", async () => {
  const { temporal, main } = await stack.pids();
  const names = async (pid: number | undefined) =>
    (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').map((pair) => pair.split('=')[0] ?? '');
  expect(await names(main)).toEqual(expect.arrayContaining(['OTEL_SERVICE_NAME', 'PATH']));
  expect(await names(temporal)).toEqual(expect.arrayContaining(['PATH']));
  expect((await names(temporal)).filter((name) => name.startsWith('OTEL_'))).toEqual([]);
});
