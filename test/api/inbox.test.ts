// test: pglite
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Api } from '../setup/api/client.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';
import { chain, control, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { newMember } from '../setup/workspace/people.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
type Loose = any;

const list = async (call: Api, query = ''): Promise<Loose[]> => {
  const { status, body } = await call('GET', `/api/pending-inputs${query}`);
  expect(status).toBe(200);
  return body;
};
const nodesOf = (entries: Loose[]) => entries.map(({ nodeId }) => nodeId);

async function asking(home: Home, nodes: ReturnType<typeof question>[], name?: string): Promise<[string, string]> {
  const workflowId = await home.deploy({ nodes, ...(name === undefined ? {} : { name }) });
  const executionId = await home.execute(workflowId);
  for (const { id } of nodes) await home.asked(executionId, id);
  return [executionId, workflowId];
}

describe('open questions', () => {
  test('are listed over all executions, the oldest first, each as its execution shows it', async () => {
    const home = await makeHome();
    const [first, workflowId] = await asking(
      home,
      [question('a', { approvals: 2, expiresInMs: 3_600_000 })],
      'Expense',
    );
    const [second] = await asking(home, [question('b', { submitters: ['owner'], instructions: 'Look.' })]);
    await home.submit(first, 'a', { answer: 'x' }, undefined, home.api);

    const entries = await list(home.api);
    expect(nodesOf(entries)).toEqual(['a', 'b']);
    const { pendingInput, executionNumber } = await home.read(first, 'executionNumber');
    expect(entries[0]).toEqual({
      ...pendingInput[0],
      executionId: first,
      executionNumber,
      executionName: 'Expense',
      workflow: { id: workflowId, name: 'Expense' },
      approvals: { required: 2, given: 1 },
      submitters: 'anyone',
    });
    const other = (await home.read(second)).pendingInput[0];
    expect(entries[1]).toMatchObject({ ...other, approvals: { required: 1, given: 0 }, submitters: ['owner'] });
    const { pathname, search } = new URL(entries[1].link);
    const owner = await home.person();
    expect((await owner('POST', `${pathname}${search}`, { body: { answer: 'y' } })).status).toBe(200);
    await home.ended(second);
    expect(nodesOf(await list(home.api))).toEqual(['a']);
    await home.api('POST', `/api/executions/${first}/cancel`);
    await home.ended(first);
    expect(await list(home.api)).toEqual([]);
    expect(await list((await makeHome()).api)).toEqual([]);
  });

  test('are filtered, paged, and refused with a mistake in the query', async () => {
    const home = await makeHome();
    const soon = { expiresInMs: 60_000 };
    const [first, workflowId] = await asking(home, [question('a', soon)]);
    const [second] = await asking(home, [question('b')]);
    const [a, b] = (await list(home.api)) as [Loose, Loose];
    const by = async (filterBy: string) => nodesOf(await list(home.api, `?filterBy=${filterBy}`));
    expect(await by(`workflowId:${workflowId}`)).toEqual(['a']);
    expect(await by(`executionId:${second}`)).toEqual(['b']);
    expect(await by(`executionId:${second}|${randomUUID()}|${first.toUpperCase()}`)).toEqual(['a', 'b']);
    expect(await by(`executionId:${second},workflowId:${workflowId}`)).toEqual([]);
    const foreign = await makeHome();
    expect(await list(foreign.api, `?filterBy=executionId:${first}`)).toEqual([]);
    expect(await by(`projectId:${home.projectId}`)).toEqual(['a', 'b']);
    expect(await by(`projectId:${randomUUID()}`)).toEqual([]);
    expect(await by(`requestedBefore:${b.requestedAt}`)).toEqual(['a']);
    expect(await by(`expiresBefore:${new Date(Date.parse(a.expiresAt) + 1).toISOString()}`)).toEqual(['a']);
    expect(await by(`expiresBefore:${a.expiresAt}`)).toEqual([]);
    const page = await home.api('GET', '/api/pending-inputs?limit=1');
    expect(nodesOf(page.body)).toEqual(['a']);
    const [, next] = /<([^>]*)>/.exec(page.headers.get('link') ?? '') ?? [];
    const rest = await home.api('GET', `${new URL(String(next)).pathname}${new URL(String(next)).search}`);
    expect([nodesOf(rest.body), rest.headers.get('link')]).toEqual([['b'], null]);
    for (const query of [
      ...['', 'x', `${first}|`, `${first}|x`].map((ids) => `filterBy=executionId:${ids}`),
      ...['filterBy=status:OPEN', 'filterBy=mine:perhaps', 'filterBy=workflowId:x', 'cursor=x'],
    ]) {
      expect(await home.api('GET', `/api/pending-inputs?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      });
    }
  });

  test('that are mine are those that take my answer', async () => {
    const home = await makeHome();
    const builder = await newMember(home, 'builder');
    const owner = await home.person();
    const nodes = [
      question('anyone'),
      question('members', { submitters: 'members' }),
      question('owners', { submitters: ['owner'] }),
      question('builder', { submitters: [builder.email] }),
      question('two', { approvals: 2 }),
      question('eyes', { excludeStarter: true }),
    ];
    const workflowId = await home.deploy({ nodes });
    const { body } = await builder.call('POST', `/api/executions/workflows/${workflowId}/execute`, { body: {} });
    for (const { id } of nodes) await home.asked(body.executionId, id);
    const reader = await keyOf(home, 'executions:read');
    const mine = async (call: Api) => nodesOf(await list(call, '?filterBy=mine:true')).sort();
    expect(await mine(reader.call)).toEqual(['anyone']);
    expect(await mine(builder.call)).toEqual(['anyone', 'builder', 'members', 'two']);
    expect(await mine(owner)).toEqual(['anyone', 'eyes', 'members', 'owners', 'two']);
    const submit = async (nodeId: string) =>
      (await home.submit(body.executionId, nodeId, { answer: 'x' }, undefined, builder.call)).status;
    for (const nodeId of ['owners', 'eyes']) expect([nodeId, await submit(nodeId)]).toEqual([nodeId, 403]);
    for (const nodeId of await mine(builder.call)) expect([nodeId, await submit(nodeId)]).toEqual([nodeId, 200]);
    expect(await mine(builder.call)).toEqual([]);
    expect(await mine(owner)).toEqual(['eyes', 'owners', 'two']);
  });

  test('of a loop name their iteration, and secrets that an answer brought in are masked in the texts of later ones', async () => {
    const home = await makeHome();
    const fields = [{ key: 'pin', label: 'PIN', type: 'secret', required: true }];
    const executionId = await home.execute(
      await home.deploy({
        nodes: [
          question('pin', { fields }),
          control('each', 'forEach', { items: [1, 2], concurrency: 2 }),
          { ...question('inside', { instructions: 'The PIN is {{ steps.pin.output.pin }}' }), parentId: 'each' },
        ],
        edges: chain('pin', 'each'),
      }),
    );
    await home.asked(executionId, 'pin');
    await home.submit(executionId, 'pin', { pin: 'quite-a-secret' });
    await home.until(executionId, ({ pendingInput }) => pendingInput?.length === 2);
    const entries = await list(home.api);
    const iterations = entries.map(({ iteration }) => iteration);
    expect(iterations.sort((a, b) => a[0].index - b[0].index)).toEqual(
      [0, 1].map((index) => [{ nodeId: 'each', index, total: 2 }]),
    );
    for (const { instructions } of entries) expect(instructions).toBe('The PIN is ***');
  });
});

describe('approvals', () => {
  const tools = [{ appId: 'testing', actionId: 'succeed', policy: 'approve' }] as never;
  const send = (call: Api, agentId: string, taskId: string, body: object = { message: userMessage('Do it') }) =>
    call('POST', `/api/agents/${agentId}/tasks/${taskId}/message`, { body });
  const asked = async (call: Api) => {
    const { status, body } = await call(
      'GET',
      '/api/tasks?filterBy=status:NEEDS_APPROVAL&expansion=agent,pendingApprovals,latestRun',
    );
    expect(status).toBe(200);
    return body as Loose[];
  };
  const idsOf = (tasks: Loose[]) => tasks.map(({ id }) => id).sort();

  async function scripted(): Promise<AgentHome> {
    const home = await makeAgentHome({ tools });
    const output = { output: { value: 'https://shop.example/1' } };
    home.provider.answerBy(({ body: { messages } }) =>
      messages.at(-1)?.role === 'tool'
        ? say('Done.')
        : callTools({ id: 'c1', name: 'testing_succeed', arguments: output }),
    );
    return home;
  }

  test('are found over all agents with what each call would do, until they are answered', async () => {
    const home = await scripted();
    const other = await home.agent();
    for (const [agentId, taskId] of [
      [home.agentId, 'one'],
      [other, 'two'],
    ] as const) {
      await send(home.api, agentId, taskId);
    }
    const tasks = await asked(home.api);
    expect(idsOf(tasks)).toEqual(['one', 'two']);
    const one = tasks.find(({ id }) => id === 'one');
    const [message] = (await home.messages('one')).slice(-1);
    expect(one).toMatchObject({ agent: { id: home.agentId }, latestRun: { status: 'NEEDS_APPROVAL' } });
    const { approvalId } = one.pendingApprovals[0];
    expect(one.pendingApprovals).toEqual([
      {
        approvalId,
        toolName: 'testing_succeed',
        input: { output: { value: 'https://shop.example/1' } },
        messageId: message.id,
      },
    ]);
    const parts = [{ type: 'tool-approval-response', approvalId, approved: true }];
    const answered = await send(home.api, home.agentId, 'one', { message: { role: 'assistant', parts } });
    expect(answered.status).toBe(200);
    expect(idsOf(await asked(home.api))).toEqual(['two']);
    const whole = await home.api('GET', '/api/tasks/one?expansion=pendingApprovals');
    expect(whole.body.pendingApprovals).toEqual([]);
    const done = await home.api('GET', '/api/tasks?filterBy=status:COMPLETED');
    expect(idsOf(done.body)).toEqual(['one']);
    const both = await home.api('GET', '/api/tasks?filterBy=status:COMPLETED|NEEDS_APPROVAL');
    expect(idsOf(both.body)).toEqual(['one', 'two']);
    // A further message without an answer denies the call.
    await send(home.api, other, 'two', { message: userMessage('Never mind') });
    const [again] = await asked(home.api);
    expect([again.id, again.pendingApprovals.length]).toEqual(['two', 1]);
    expect((await home.api('GET', '/api/tasks?filterBy=status:QUEUED')).status).toBe(400);
  });

  test('of tasks that a grant-only caller did not make are not shown to it', async () => {
    const home = await scripted();
    const { id, call } = await keyOf(home, 'agents:use');
    await grant(home, home.agentId, { apiKeyId: id });
    await send(home.api, home.agentId, 'theirs');
    await send(call, home.agentId, 'own');
    expect(idsOf(await asked(home.api))).toEqual(['own', 'theirs']);
    const seen = await call('GET', '/api/tasks?filterBy=status:NEEDS_APPROVAL&expansion=pendingApprovals');
    expect(idsOf(seen.body)).toEqual(['own']);
    expect(seen.body[0].pendingApprovals).toHaveLength(1);
  });
});
