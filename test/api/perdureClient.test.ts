import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createClient, OPERATIONS, PerdureProblem, type Tokens, verifySignature } from 'perdure-client';
import document from '../../dist/openapi.json' with { type: 'json' };
import { brokenNetwork } from '../setup/api/brokenNetwork.ts';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { say } from '../setup/providers/modelScript.ts';
import { makeAgentHome } from '../setup/workspace/agentHome.ts';
import { makeHome } from '../setup/workspace/home.ts';

const clientOf = ({ url, apiKey }: { url: string; apiKey: string }) => createClient({ url, apiKey });

const ASKING = {
  trigger: { type: 'manual', config: { fields: [{ key: 'name', type: 'text', required: true }] } },
  nodes: [{ id: 'ask', type: 'input', inputs: { title: 'Well?', fields: [{ key: 'ok', type: 'boolean' }] } }],
  output: '{{ steps.ask.output.ok }}',
};

const DIRECT = { trigger: { type: 'manual' }, nodes: [], output: 7 };

test('each operation of the contract is a method', () => {
  const inContract = Object.values(document.paths as Record<string, Record<string, { operationId?: string }>>)
    .flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
    .filter((id) => id !== undefined);
  const client = createClient({ url: 'http://127.0.0.1:1' });
  expect(Object.keys(OPERATIONS).sort()).toEqual([...inContract].sort());
  for (const id of inContract) expect(client).toHaveProperty(id as string, expect.any(Function));
});

test('a workflow is started, waited for until it asks, answered, and waited for to its end', async () => {
  const home = await makeHome();
  const client = clientOf(home);
  const workflowId = await home.deploy(ASKING as never);
  const { executionId } = await client.executeWorkflow({ path: { workflowId }, body: { inputData: { name: 'Ada' } } });
  const asking = await client.waitForExecution(executionId, { until: 'needsInput' });
  expect(asking).toMatchObject({ status: 'NEEDS_INPUT', pendingInput: [{ nodeId: 'ask' }] });
  await client.submitInput({ path: { executionId, nodeId: 'ask' }, body: { ok: true } });
  const ended = await client.waitForExecution(executionId);
  expect(ended).toMatchObject({ executionId, status: 'COMPLETED', output: true, pendingInput: [] });
});

test('a refusal is a PerdureProblem with its code, its places and its request', async () => {
  const home = await makeHome();
  const client = clientOf(home);
  const workflowId = await home.deploy(ASKING as never);
  const refused = await client.executeWorkflow({ path: { workflowId }, body: {} }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(PerdureProblem);
  expect(refused).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', requestId: expect.any(String) });
  expect((refused as PerdureProblem).errors[0]).toMatchObject({ path: 'inputData.name' });
  await expect(client.getWorkflow({ path: { workflowId: '' } })).rejects.toThrow('path.workflowId is required');
});

test('an answer that is lost does not start a second execution, and a list is read page after page', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy(DIRECT as never);
  const network = await brokenNetwork(home.url, {
    losesAnswer: ({ method }, index) => method === 'POST' && index === 0,
  });
  const client = createClient({ url: network.url, apiKey: home.apiKey });
  const { executionId } = await client.executeWorkflow({ path: { workflowId }, body: {} });
  const starts = network.seen.filter(({ method }) => method === 'POST');
  expect(starts).toHaveLength(2);
  expect(new Set(starts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  const more = await Promise.all([1, 2].map(() => client.executeWorkflow({ path: { workflowId }, body: {} })));
  const listed: string[] = [];
  for await (const { id } of client.paginate('listExecutions', { query: { limit: 2 } })) listed.push(id);
  expect(listed.sort()).toEqual([executionId, ...more.map((each) => each.executionId)].sort());
});

test('an answer that breaks off in its body is asked for again, and starts no second execution', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy(DIRECT as never);
  const network = await brokenNetwork(home.url, { cutsAfter: (_, index) => (index < 2 ? 5 : undefined) });
  const client = createClient({ url: network.url, apiKey: home.apiKey });
  const { executionId } = await client.executeWorkflow({ path: { workflowId }, body: {} });
  expect(network.seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
  const { body: all } = await home.api('GET', `/api/executions?filterBy=workflowId:${workflowId}`);
  expect(all.map(({ id }: { id: string }) => id)).toEqual([executionId]);
});

test('an answer that stops in its body is asked for again after the time limit', async () => {
  const home = await makeHome();
  let stalls = 1;
  const stopsAfter = () => (stalls-- > 0 ? 5 : undefined);
  const network = await brokenNetwork(home.url, { stopsAfter });
  const client = createClient({ url: network.url, apiKey: home.apiKey, timeoutMs: 3_000 });
  expect(await client.listProjects()).toMatchObject([{ id: home.projectId }]);
  stalls = 1;
  const answer = await client.send('listProjects');
  expect(await answer.json()).toMatchObject([{ id: home.projectId }]);
  stalls = Number.POSITIVE_INFINITY;
  const once = createClient({ url: network.url, apiKey: home.apiKey, timeoutMs: 1_000, retries: { tries: 1 } });
  await expect(once.listProjects()).rejects.toMatchObject({
    ...{ status: 0, code: 'API_UNREACHABLE', detail: expect.stringContaining('No answer within 1000 ms') },
  });
});

test('an API that stays away is a problem without status, and nothing is sent twice without a key', async () => {
  const home = await makeHome();
  const network = await brokenNetwork(home.url, { losesAnswer: ({ method }) => method === 'PATCH' });
  const client = createClient({ url: network.url, apiKey: home.apiKey, retries: { tries: 2 } });
  const { projectId } = home;
  const patched = client.updateProject({ path: { projectId }, body: { name: 'Other' } });
  await expect(patched).rejects.toMatchObject({ status: 0, code: 'API_UNREACHABLE' });
  expect(network.seen.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  network.breakDown();
  const refused = client.listProjects({ query: { cursor: 'secret' } });
  // The query may contain the token of a question.
  await expect(refused).rejects.toMatchObject({
    code: 'API_UNREACHABLE',
    message: expect.not.stringContaining('secret'),
  });
});

test('twenty calls with an access token that has ended refresh it once; a session that has ended says so', async () => {
  const home = await makeHome();
  const network = await brokenNetwork(home.url);
  const { access_token, refresh_token } = await home.tokens();
  let kept: Tokens | undefined = { accessToken: `${access_token}x`, refreshToken: refresh_token };
  const store = {
    get: () => kept,
    set(tokens: Tokens | undefined) {
      kept = tokens;
    },
  };
  const ends: string[] = [];
  const client = createClient({ url: network.url, tokens: store, onLoggedOut: () => void ends.push('logged out') });
  const people = await Promise.all(Array.from({ length: 20 }, () => client.getCurrentUser()));
  expect(new Set(people.map((person) => ('email' in person ? person.email : undefined))).size).toBe(1);
  expect(network.seen.filter(({ url }) => url === '/api/auth/refresh-token')).toHaveLength(1);
  await client.logout();
  kept = { accessToken: 'nothing', refreshToken: refresh_token };
  await expect(client.getCurrentUser()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect([kept, ends]).toEqual([undefined, ['logged out']]);
});

test('a rejected call continues unchanged after the store has waited for another login', async () => {
  const home = await makeHome();
  const network = await brokenNetwork(home.url);
  const { access_token, refresh_token } = await home.tokens();
  let kept: Tokens | undefined = { accessToken: 'ended', refreshToken: 'ended' };
  const { after: loggedIn, goOn } = gate();
  const store = {
    async get() {
      if (kept === undefined) await loggedIn;
      return kept;
    },
    set(tokens: Tokens | undefined) {
      kept = tokens;
    },
  };
  const onLoggedOut = () => {
    kept = { accessToken: access_token, refreshToken: refresh_token };
    goOn();
  };
  const client = createClient({ url: network.url, tokens: store, onLoggedOut });
  const { id } = await client.createQueue({ query: { projectId: home.projectId }, body: { name: 'Once' } });
  expect(await client.getQueue({ path: { queueId: id } })).toMatchObject({ name: 'Once' });
  expect(network.seen.filter(({ url }) => url.startsWith('/api/queues?'))).toHaveLength(2);
});

test('an execution is followed over lost connections; no event is lost, and none comes twice', async () => {
  const home = await makeHome();
  const network = await brokenNetwork(home.url);
  const client = createClient({ url: network.url, apiKey: home.apiKey });
  const executionId = await home.execute(await home.deploy(ASKING as never), { name: 'Ada' });
  await home.asked(executionId, 'ask');
  const seen: { type: string; revision?: number }[] = [];
  const followed = (async () => {
    for await (const event of client.followExecution(executionId)) seen.push(event as never);
  })();
  await poll(() => seen.length).toBeGreaterThan(0);
  network.cut();
  await poll(() => network.seen.length).toBe(2);
  network.breakDown();
  await home.submit(executionId, 'ask', { ok: true });
  await home.finished(executionId);
  network.mend();
  await followed;
  expect(seen.at(-1)).toMatchObject({ type: 'execution.finished', status: 'COMPLETED', output: true });
  const texts = seen.map((event) => JSON.stringify(event));
  expect(new Set(texts).size).toBe(texts.length);
});

test('a turn is followed over a lost connection to its end', async () => {
  const home = await makeAgentHome();
  const network = await brokenNetwork(home.url);
  const { after, goOn } = gate();
  home.provider.answer([...say('Good '), { after }, ...say('day')]);
  const client = createClient({ url: network.url, apiKey: home.apiKey });
  let text = '';
  const turn = (async () => {
    for await (const chunk of client.streamTurn({ agentId: home.agentId, taskId: 't-1', message: 'Hello' })) {
      if (chunk.type === 'text-delta') text += chunk.delta;
    }
  })();
  await poll(() => text).toBe('Good ');
  network.cut();
  goOn();
  await turn;
  expect(text).toBe('Good day');
  expect(home.provider.requests).toHaveLength(1);
});

test('a message that was not taken, since another turn runs, does not get the answer of that turn', async () => {
  const home = await makeAgentHome();
  const { after, goOn } = gate();
  home.provider.answer([...say('Good '), { after }, ...say('day')]);
  const client = clientOf(home);
  const turn = (message: string) => client.streamTurn({ agentId: home.agentId, taskId: 't-1', message });
  const first = turn('Hello');
  const chunks = [(await first.next()).value?.type];
  await expect(turn('And what of order 4711?').next()).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  goOn();
  for await (const { type } of first) chunks.push(type);
  expect(chunks.at(-1)).toBe('finish');
  expect(home.provider.requests).toHaveLength(1);
});

test('work() does the items of a queue, reports what fails, and drains when it is stopped', async () => {
  const home = await makeHome();
  const client = clientOf(home);
  const query = { projectId: home.projectId };
  const queue = await client.createQueue({ query, body: { name: 'refunds', maxRetries: 0 } });
  const items = ['good', 'bad', 'good'].map((what) => ({ data: { what } }));
  await client.bulkCreateQueueItems({ path: { queueId: queue.id }, body: { items } });
  const counts = await client.work(
    queue.id,
    ({ data }) => {
      if ((data as { what: string }).what === 'bad') throw new Error('The shop did not answer');
    },
    { concurrency: 2, untilEmpty: true },
  );
  expect(counts).toEqual({ completed: 2, failed: 1, lost: 0 });
  const failed: unknown[] = [];
  const of = { path: { queueId: queue.id }, query: { filterBy: 'status:FAILED', expansion: 'lastError' } };
  for await (const item of client.paginate('listQueueItems', of)) failed.push(item);
  expect(failed).toMatchObject([{ lastError: 'The shop did not answer' }]);
});

test('work() waits for an API that goes away, reports what was done meanwhile, and does no item twice', async () => {
  const home = await makeHome();
  const query = { projectId: home.projectId };
  const queue = await clientOf(home).createQueue({ query, body: { name: 'returns', maxRetries: 0 } });
  const items = [1, 2, 3].map((what) => ({ data: { what } }));
  await clientOf(home).bulkCreateQueueItems({ path: { queueId: queue.id }, body: { items } });
  // The API receives the second claim and the first end, but their responses are lost.
  const nth = { claim: 0, end: 0 };
  const network = await brokenNetwork(home.url, {
    losesAnswer({ method, url }) {
      if (method === 'PATCH') return ++nth.end === 1;
      return url.includes('/claim') && ++nth.claim === 2;
    },
  });
  const client = createClient({ url: network.url, apiKey: home.apiKey, retries: { tries: 1 } });
  const away: string[] = [];
  const done: unknown[] = [];
  const counts = await client.work(
    queue.id,
    ({ data }) => {
      done.push((data as { what: number }).what);
      if (done.length === 3) network.breakDown();
    },
    {
      untilEmpty: true,
      onAway({ code }) {
        away.push(code);
        network.mend();
      },
    },
  );
  expect(counts).toEqual({ completed: 3, failed: 0, lost: 0 });
  expect(done.sort()).toEqual([1, 2, 3]);
  expect(away).toEqual(['API_UNREACHABLE', 'API_UNREACHABLE', 'API_UNREACHABLE']);
  network.breakDown();
  await expect(client.work(queue.id, () => undefined)).rejects.toMatchObject({ code: 'API_UNREACHABLE' });
});

test('the signature of a Standard Webhooks message is checked, with its time', async () => {
  const key = Buffer.from('a secret of some length');
  const body = JSON.stringify({ type: 'execution.failed', data: {} });
  const at = Math.floor(Date.now() / 1000);
  const sign = (time: number) => createHmac('sha256', key).update(`m1.${time}.${body}`).digest('base64');
  const headers = (time: number) => ({
    'Webhook-Id': 'm1',
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,AAAA v1,${sign(time)}`,
  });
  const secret = `whsec_${key.toString('base64')}`;
  expect(await verifySignature({ body, headers: headers(at), secret })).toEqual(JSON.parse(body));
  await expect(verifySignature({ body: `${body} `, headers: headers(at), secret })).rejects.toThrow(
    'does not match this secret',
  );
  await expect(verifySignature({ body, headers: headers(at - 301), secret })).rejects.toThrow('too far from now');
  await expect(verifySignature({ body, headers: {}, secret })).rejects.toThrow('webhook-id is missing');
});
