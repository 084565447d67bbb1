import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { CALLS_PER_HISTORY } from '../../domain/agent/turnCalls.ts';
import type { TriggerNode } from '../../domain/workflow/definition.ts';
import { agentHomeOn, tool, userMessage } from '../setup/agentHome.ts';
import { scriptAgents } from '../setup/agentScripts.ts';
import { beginAgain } from '../setup/beginAgain.ts';
import { action, chain, control, edges, question } from '../setup/graph.ts';
import { type Home, makeHome, statuses } from '../setup/home.ts';
import { loopback } from '../setup/loopback.ts';
import { said, startMcpServer, textTool } from '../setup/mcpServer.ts';
import { callTools, say } from '../setup/modelScript.ts';
import { poll } from '../setup/poll.ts';
import { stackTemporal } from '../setup/temporal.ts';
import { unsentCancelled } from '../setup/unsentCancelled.ts';
import { stackDatabase } from '../setup/workspace.ts';
import { ingestedWith } from './ingestions.ts';
import { HISTORIES, historyFile, KINDS, type Kind } from './kinds.ts';

const set = (id: string) => action(id, 'core.set', { values: { id } });
const remote = (id: string) => action(id, 'testing.succeed', { output: id });
const execute = async (home: Home, graph: Parameters<Home['deploy']>[0]) => home.execute(await home.deploy(graph));

/** Workflows that the engine's schedules start, which are not executions themselves. */
interface ByClock {
  engineId: string;
  /** Of several histories; absent: the last. */
  runId?: string | undefined;
  /** Of another stack than all use. */
  client?: Client;
}

/** The first thing that the trigger of a new workflow starts, when it has ended. */
async function byClock(home: Home, trigger: TriggerNode): Promise<ByClock> {
  const { workflow, schedule } = await stackTemporal();
  const graph = { slug: 'by-clock', trigger, nodes: [set('a')] };
  const described = schedule.getHandle(`schedule-${await home.deploy(graph)}`);
  const first = async () => (await described.describe()).info.recentActions[0]?.action.workflow.workflowId ?? '';
  await poll(first, { timeout: 30_000, interval: 200 }).not.toBe('');
  const engineId = await first();
  await workflow.getHandle(engineId).result();
  await home.deploy({ ...graph, isActive: false });
  return { engineId };
}

/** Starts an execution of the kind, acts for its people, and returns its id. */
const MAKE: Record<Kind, (home: Home) => Promise<string | ByClock>> = {
  inline: (home) =>
    execute(home, {
      nodes: [set('a'), control('check', 'condition', { condition: true }), set('yes'), set('no')],
      edges: edges('a>check', 'check:true>yes', 'check:false>no'),
    }),
  remote: (home) => execute(home, { nodes: [remote('a'), set('b'), remote('c')], edges: chain('a', 'b', 'c') }),
  retry: (home) =>
    execute(home, {
      nodes: [
        action('flaky', 'testing.fail', { times: 2 }, { retry: { maximumAttempts: 3, initialIntervalMs: 20 } }),
        set('after'),
      ],
      edges: chain('flaky', 'after'),
    }),
  async inputSubmitted(home) {
    const id = await execute(home, {
      nodes: [remote('a'), question('ask', { expiresInMs: 600_000 }), set('b')],
      edges: chain('a', 'ask', 'b'),
    });
    await home.asked(id, 'ask');
    await home.submit(id, 'ask', { answer: 'x' });
    return id;
  },
  async inputSettled(home) {
    const id = await execute(home, {
      nodes: [question('ask', { expiresInMs: 600_000 }), remote('a'), question('also'), set('b'), remote('join')],
      edges: edges('ask>a', 'also>b', 'a>join', 'b>join'),
    });
    await home.asked(id, 'also');
    await home.submit(id, 'ask', { answer: 'x' });
    await home.submit(id, 'also', { answer: 'y' });
    return id;
  },
  async inputThenLong(home) {
    const id = await execute(home, {
      nodes: [question('ask'), action('long', 'testing.wait', { ms: 2_000 }), question('again'), set('b')],
      edges: chain('ask', 'long', 'again', 'b'),
    });
    await home.asked(id, 'ask');
    await home.submit(id, 'ask', { answer: 'x' });
    await home.asked(id, 'again');
    await home.submit(id, 'again', { answer: 'y' });
    return id;
  },
  inputExpired: (home) =>
    execute(home, { nodes: [question('ask', { expiresInMs: 100 }), set('late')], edges: edges('ask:expired>late') }),
  parallelJoin: (home) =>
    execute(home, {
      nodes: [set('start'), remote('a'), remote('b'), set('c'), set('join')],
      edges: edges('start>a', 'start>b', 'start>c', 'a>join', 'b>join', 'c>join'),
    }),
  errorRoute: (home) =>
    execute(home, {
      nodes: [action('bad', 'testing.fail', {}, { onError: 'route' }), remote('after'), remote('handler')],
      edges: edges('bad>after', 'bad:error>handler'),
    }),
  failure: (home) =>
    execute(home, {
      nodes: [remote('a'), action('bad', 'testing.fail'), set('never')],
      edges: chain('a', 'bad', 'never'),
    }),
  async stopWithOpenBranches(home) {
    const id = await execute(home, {
      nodes: [
        action('long', 'testing.wait', { ms: 600_000 }),
        action('again', 'testing.fail', {}, { retry: { maximumAttempts: 2, initialIntervalMs: 600_000 } }),
        question('other', { expiresInMs: 600_000 }),
        question('go'),
        control('halt', 'stop', { outcome: 'completed' }),
      ],
      edges: chain('go', 'halt'),
    });
    await home.until(id, allOpen);
    await home.submit(id, 'go', { answer: 'x' });
    return id;
  },
  async cancelled(home) {
    const id = await execute(home, {
      nodes: [
        action('long', 'testing.wait', { ms: 600_000 }),
        action('again', 'testing.fail', {}, { retry: { maximumAttempts: 2, initialIntervalMs: 600_000 } }),
        question('go'),
      ],
    });
    await home.until(id, allOpen);
    await (await stackTemporal()).workflow.getHandle(id).cancel();
    return id;
  },
  scheduled: (home) => byClock(home, { id: 'trigger', type: 'schedule', config: { everyMs: 1_000 } }),
  async polled(home) {
    const list = JSON.stringify([{ id: 1 }]);
    const { url } = await loopback(
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(list),
    );
    const config = { appId: 'http', triggerId: 'poll', inputs: { url }, everyMs: 1_000, startWith: 'all' as const };
    return byClock(home, { id: 'trigger', type: 'poll', config });
  },
  async nodeTest(home) {
    const workflowId = await home.deploy({ nodes: [remote('a')] });
    await home.api('POST', `/api/workflows/${workflowId}/nodes/a/test`, { body: {} });
    const { workflow } = await stackTemporal();
    const query = `WorkflowType = "testNode" AND PerdureWorkspace = "${home.workspaceId}"`;
    const found = async () => {
      for await (const { workflowId: engineId } of workflow.list({ query })) return engineId;
      return '';
    };
    await poll(found, { timeout: 30_000, interval: 200 }).not.toBe('');
    return { engineId: await found() };
  },
  async agentTurn(home) {
    const agent = await agentHomeOn(home, stackDatabase(), {
      tools: [
        tool('testing', 'succeed'),
        tool('testing', 'fail'),
        tool('testing', 'wait', { policy: 'approve' }),
      ] as never,
    });
    // A retry, parallel tools with one failure, and a tool with an approval.
    agent.provider.answer(
      [{ status: 503 }],
      callTools(
        { id: 'c1', name: 'testing_succeed', arguments: { output: 1 } },
        { id: 'c2', name: 'testing_fail', arguments: { retryable: false } },
      ),
      callTools(
        { id: 'c3', name: 'testing_wait', arguments: { ms: 1 } },
        { id: 'c4', name: 'testing_succeed', arguments: {} },
      ),
    );
    const taskId = `t-${agent.agentId}`;
    await agent.send(taskId, 'Hi');
    return { engineId: (await agent.turn(taskId)).id };
  },
  async agentTurnApproved(home) {
    const agent = await agentHomeOn(home, stackDatabase(), {
      tools: [tool('testing', 'succeed', { policy: 'approve' })] as never,
    });
    agent.provider.answer(callTools({ id: 'c1', name: 'testing_succeed', arguments: {} }), say('Done.'));
    const taskId = `t-${agent.agentId}`;
    await agent.send(taskId, 'Hi');
    const parts = [{ type: 'tool-approval-response', approvalId: 'approve-c1', approved: true }];
    await home.api('POST', `/api/agents/${agent.agentId}/tasks/${taskId}/message`, {
      body: { message: { role: 'assistant', parts } },
    });
    return { engineId: (await agent.turn(taskId)).id };
  },
  async agentTurnStopped(home) {
    const agent = await agentHomeOn(home, stackDatabase(), { tools: [tool('testing', 'wait')] as never });
    agent.provider.answer(callTools({ id: 'c1', name: 'testing_wait', arguments: { ms: 60_000 } }));
    const taskId = `t-${agent.agentId}`;
    const turn = await agent.stream(taskId, { message: userMessage('Hi') });
    const begun = () =>
      stackDatabase().runToolCall.count({ where: { run: { task: { clientId: taskId } }, executionId: { not: null } } });
    await poll(begun, { timeout: 30_000, interval: 100 }).toBe(1);
    await agent.stop(taskId);
    await turn.done;
    return { engineId: (await agent.turn(taskId)).id };
  },
  async agentTurnNamed(home) {
    const agent = await agentHomeOn(home, stackDatabase(), { taskNamingInstructions: 'Three words.' });
    agent.provider.answer(say('Done.'), [{ status: 503 }], say('A short name'));
    const taskId = `t-${agent.agentId}`;
    await agent.send(taskId, 'Hi');
    return { engineId: (await agent.turn(taskId)).id };
  },
  async agentRun(home) {
    const agent = await agentHomeOn(home, stackDatabase());
    agent.provider.answer([{ hang: true }], say('At last'));
    const inputs = { agentId: agent.agentId, message: 'Hi' };
    const more = { timeoutMs: 1_000, retry: { maximumAttempts: 2, initialIntervalMs: 1 } };
    const id = await execute(home, { nodes: [action('ask', 'agent.run', inputs, more)] });
    await home.ended(id);
    return id;
  },
  async agentTurnMcp(home) {
    const { url } = await startMcpServer({
      tools: [textTool('read', { readOnlyHint: true }), textTool('pay')],
      answer: ({ name }) => said(name),
    });
    const agent = await agentHomeOn(home, stackDatabase(), { mcpServers: [{ name: 'shop', url }] as never });
    agent.provider.answer(
      callTools({ id: 'c1', name: 'mcp_shop_read', arguments: {} }, { id: 'c2', name: 'mcp_shop_pay', arguments: {} }),
      say('Done.'),
    );
    const taskId = `t-${agent.agentId}`;
    await agent.send(taskId, 'Hi');
    return { engineId: (await agent.turn(taskId)).id };
  },
  async agentTurnContinues(home) {
    const engineId = await longTurn(home);
    const { workflow } = await stackTemporal();
    const { events } = await workflow.getHandle(engineId).fetchHistory();
    const runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
    expect(runId).toBeTruthy();
    return { engineId, runId: runId ?? undefined };
  },
  agentTurnContinued: async (home) => ({ engineId: await longTurn(home) }),
  async agentTurnCallsAgent(home) {
    const agent = await agentHomeOn(home, stackDatabase());
    const called = await agent.agent({ instructions: 'clerk' });
    const caller = await agent.agent({ instructions: 'boss', subAgentIds: [called] });
    const { slug } = await agent.database.agent.findUniqueOrThrow({ where: { id: called } });
    scriptAgents(agent, {
      boss: [callTools({ id: 'c1', name: `agent_${slug}`, arguments: { message: 'Look' } }), say('Done.')],
      clerk: [say('Seven')],
    });
    const taskId = `t-${caller}`;
    await home.api('POST', `/api/agents/${caller}/tasks/${taskId}/message`, { body: { message: userMessage('Hi') } });
    return { engineId: (await agent.turn(taskId)).id };
  },
  async ingestDocument(home) {
    const body = { name: 'Rules', embeddingProvider: 'local', chunkSize: 50, chunkOverlap: 0 };
    const made = await home.api('POST', '/api/knowledge', { body });
    const path = `/api/knowledge/${made.body.id}`;
    // Of two batches, at once.
    const text = Array.from({ length: 300 }, (_, n) => `Rule ${n} says that nobody may be late for tea.`).join('\n\n');
    await home.api('POST', `${path}/saveUploadedText`, { body: { text } });
    const documents = await home.api('GET', `${path}/documents`);
    return { engineId: `ingest-${documents.body[0].groupId}` };
  },
  ingestDocumentRetried: () => ingestedWith({ status: 429, headers: { 'retry-after': '1' } }, { status: 503 }),
  ingestDocumentRefused: () => ingestedWith({ status: 400 }),
  forEach: (home) =>
    execute(home, {
      nodes: [
        control('outer', 'forEach', { items: ['a', 'b', 'c'], concurrency: 2, onItemError: 'continue' }),
        { ...remote('work'), parentId: 'outer' },
        control('inner', 'forEach', { items: [1, 2] }, { parentId: 'outer' }),
        { ...set('each'), parentId: 'inner' },
        action('bad', 'testing.fail', {}, { parentId: 'outer', onError: 'continue' }),
        set('after'),
      ],
      edges: edges('work>inner', 'inner>bad', 'outer>after'),
    }),
  forEachInChildren: (home) => execute(home, manyItems()),
  forEachInFewLanes: (home) => execute(home, manyItems(310, 60)),
  async iterations(home) {
    const id = await execute(home, {
      nodes: [
        control('each', 'forEach', { items: Array.from({ length: 101 }, (_, index) => index), concurrency: 20 }),
        control('pause', 'delay', { forMs: 0 }, { parentId: 'each' }),
      ],
    });
    await home.ended(id);
    return { engineId: `${id}/each:0` };
  },
  async dividedSlice(home) {
    // Nobody is asked: their events are counted, so that a workflow has room for one iteration.
    const unasked = (parentId: string, count: number) => [
      control(`if-${parentId}`, 'condition', { condition: false }, { parentId }),
      ...Array.from({ length: count }, (_, index) => ({ ...question(`${parentId}-${index}`), parentId })),
    ];
    const skipped = (parentId: string, count: number) =>
      Array.from({ length: count }, (_, index) => `if-${parentId}:true>${parentId}-${index}`);
    const id = await execute(home, {
      nodes: [
        control('outer', 'forEach', { items: ['only'] }),
        control('inner', 'forEach', { items: [1, 2, 3] }, { parentId: 'outer' }),
        { ...remote('work'), parentId: 'inner' },
        ...unasked('inner', 300),
        ...unasked('outer', 114),
      ],
      edges: edges(...skipped('inner', 300), ...skipped('outer', 114)),
    });
    await home.ended(id);
    return { engineId: `${id}/outer:0/inner:0-3` };
  },
  loopInRegion: (home) =>
    execute(home, {
      nodes: [control('again', 'repeat', { times: 1_100 }), { ...set('each'), parentId: 'again' }, set('after')],
      edges: chain('again', 'after'),
    }),
  repeat: (home) =>
    execute(home, {
      nodes: [
        control('again', 'repeat', { until: '{{ loop.index == 2 }}', pauseMs: 5 }),
        { ...remote('work'), parentId: 'again' },
      ],
    }),
  delay: (home) =>
    execute(home, { nodes: [control('wait', 'delay', { forMs: 50 }), set('after')], edges: chain('wait', 'after') }),
  async runWorkflow(home) {
    const workflowId = await home.deploy({ nodes: [remote('inside')] });
    return execute(home, {
      nodes: [
        control('call', 'runWorkflow', { workflowId }),
        control('begin', 'runWorkflow', { workflowId, wait: false }),
        set('after'),
      ],
      edges: chain('call', 'begin', 'after'),
    });
  },
  async loopCancelled(home) {
    const id = await execute(home, {
      nodes: [
        control('each', 'forEach', { items: [1, 2, 3], concurrency: 2 }),
        action('long', 'testing.wait', { ms: 600_000 }, { parentId: 'each' }),
      ],
    });
    await home.until(id, ({ executionPath }) => executionPath.length === 3 && executionPath.every(isRunning));
    await (await stackTemporal()).workflow.getHandle(id).cancel();
    return id;
  },
  timedOut: (home) =>
    execute(home, {
      timeoutMs: 1_000,
      nodes: [
        action('long', 'testing.wait', { ms: 600_000 }),
        action('again', 'testing.fail', {}, { retry: { maximumAttempts: 2, initialIntervalMs: 600_000 } }),
        question('go'),
      ],
    }),
  async held(home) {
    const slug = 'held';
    const graph = { slug, nodes: [remote('inside')], maxConcurrent: 1, timeoutMs: 600_000 };
    const workflowId = await home.deploy(graph);
    await home.api('POST', `/api/workflows/${workflowId}/pause`);
    const id = await execute(home, { nodes: [control('call', 'runWorkflow', { workflowId })] });
    await home.until(id, ({ executionPath }) => executionPath[0]?.input?.executionId !== undefined);
    const [child] = (await home.read(id, 'childExecutions')).childExecutions;
    const { workflow } = await stackTemporal();
    // It has looked, and waits for a signal.
    const events = async () => (await workflow.getHandle(child.id).describe()).historyLength;
    await poll(events, { timeout: 20_000, interval: 100 }).toBeGreaterThanOrEqual(5);
    await home.api('POST', `/api/workflows/${workflowId}/resume`);
    return child.id;
  },
  async questionsInLoop(home) {
    const id = await execute(home, {
      nodes: [
        control('each', 'forEach', { items: [1, 2, 3], concurrency: 3 }),
        question('ask', { expiresInMs: 3_000, approvals: { required: 2 } }, { parentId: 'each' }),
        { ...remote('work'), parentId: 'each' },
      ],
      edges: edges('ask>work', 'ask:expired>work'),
    });
    const { pendingInput } = await home.until(id, (read) => read.pendingInput.length === 3);
    // The first gets all that it asks for, the second one answer of two, the third none.
    const [first, second] = pendingInput.map(({ stepId }: { stepId: string }) => stepId);
    for (const stepId of [first, second]) await home.submit(id, 'ask', { answer: 'x' }, stepId, home.api);
    await home.submit(id, 'ask', { answer: 'x' }, first, await home.person());
    return id;
  },
  everyControl: (home) =>
    execute(home, {
      nodes: [
        control('check', 'condition', { condition: true }),
        control('choose', 'switch', { cases: [{ name: 'b', when: '{{ true }}' }] }),
        control('answer', 'respond', { status: 202, body: { ok: true } }),
        remote('work'),
        action('compute', 'code.javascript', { code: 'return 1 + 1' }),
        control('halt', 'stop', { outcome: 'completed' }),
      ],
      edges: edges('check:true>choose', 'choose:b>answer', 'answer>work', 'work>compute', 'compute>halt'),
    }),
  async resetCaller(home) {
    const workflowId = await home.deploy({ nodes: [question('ask')] });
    const id = await execute(home, { nodes: [control('call', 'runWorkflow', { workflowId })] });
    const children = async () => (await home.read(id, 'childExecutions')).childExecutions;
    await poll(children).toHaveLength(1);
    const [child] = await children();
    await home.asked(child.id, 'ask');
    await beginAgain(id);
    await home.submit(child.id, 'ask', { answer: 'x' });
    return id;
  },
  async resetLoop(home) {
    const id = await execute(home, manyItems(150, 5));
    await home.until(id, ({ executionPath }) => executionPath?.[0]?.iterations?.completed > 5);
    await beginAgain(id);
    return id;
  },
  async overflowed(home) {
    // As many as one workspace may have at once, of the 200 that there are.
    const filling = await execute(home, {
      nodes: [
        control('each', 'forEach', { items: Array.from({ length: 100 }, (_, index) => index), concurrency: 100 }),
        action('long', 'testing.wait', { ms: 600_000 }, { parentId: 'each' }),
      ],
    });
    const path = `/api/executions/${filling}/steps?filterBy=nodeId:long,status:RUNNING`;
    const running = async () => (await home.api('GET', path)).body;
    await poll(running, { timeout: 30_000, interval: 200 }).toHaveLength(100);
    const id = await execute(home, { nodes: [remote('a'), remote('b')], edges: chain('a', 'b') });
    await home.ended(id);
    await home.api('POST', `/api/executions/${filling}/cancel`);
    return id;
  },
  unsentCancelled: (home) => execute(home, unsentCancelled()),
  attemptsElsewhere: (home) => elsewhere(home, 'flaky'),
  loopElsewhere: (home) => elsewhere(home, 'loop'),
  async adHoc(home) {
    const step = { appId: 'testing', actionId: 'succeed', inputs: { output: 1 } };
    return (await home.api('POST', '/api/runs', { body: { steps: [step, step] } })).body.executionId;
  },
  async retried(home) {
    const id = await execute(home, {
      nodes: [
        set('a'),
        control('check', 'condition', { condition: true }),
        remote('yes'),
        set('no'),
        remote('b'),
        set('c'),
      ],
      edges: edges('a>check', 'check:true>yes', 'check:false>no', 'yes>b', 'no>b', 'b>c'),
    });
    await home.ended(id);
    return (await home.api('POST', `/api/executions/${id}/retry`, { body: { fromStep: 'b' } })).body.executionId;
  },
  async retriedLoop(home) {
    const { body: bad } = await home.api('POST', '/api/variables', { body: { name: 'bad', value: 3 } });
    const check = (id: string, loop: string) =>
      action(id, 'core.assert', { condition: `{{ loops.${loop}.index != variables.bad }}` }, { parentId: loop });
    const id = await execute(home, {
      nodes: [
        control('each', 'forEach', { items: [1, 2, 3, 4, 5, 6], concurrency: 2, onItemError: 'continue' }),
        { ...remote('work'), parentId: 'each' },
        check('check', 'each'),
        control('again', 'repeat', { times: 5 }),
        { ...remote('try'), parentId: 'again' },
        check('good', 'again'),
        control('region', 'forEach', { items: [1, 2, 3, 4, 5, 6] }),
        check('inside', 'region'),
      ],
      edges: edges('work>check', 'each>again', 'try>good', 'again>region'),
    });
    await home.ended(id);
    await home.api('PATCH', `/api/variables/${bad.id}`, { body: { value: -1 } });
    const body = { failedItems: 'again' };
    return (await home.api('POST', `/api/executions/${id}/retry`, { body })).body.executionId;
  },
};

/** One step with as many calls as a history takes: the second step, which answers, has another one. */
async function longTurn(home: Home): Promise<string> {
  const agent = await agentHomeOn(home, stackDatabase(), { enabledBuiltInTools: ['current_time'] });
  const half = (step: number) =>
    callTools(
      ...Array.from({ length: CALLS_PER_HISTORY / 2 }, (_, n) => ({
        ...{ id: `c${step}-${n}`, name: 'current_time', arguments: {} },
      })),
    );
  agent.provider.answer(half(1), half(2), say('Done.'));
  const taskId = `t-${agent.agentId}`;
  await agent.send(taskId, 'Hi');
  return (await agent.turn(taskId)).id;
}

function allOpen(snapshot: { executionPath?: unknown }): boolean {
  const now = snapshot.executionPath ? statuses(snapshot) : {};
  return now.long === 'RUNNING' && now.again === 'RETRYING' && now.go === 'NEEDS_INPUT';
}

/** The workflow of one node: earlier attempts have used up the execution's budget for repetitions. */
async function elsewhere(home: Home, nodeId: string): Promise<ByClock> {
  const retry = { maximumAttempts: 200, initialIntervalMs: 1, maximumIntervalMs: 1 };
  const id = await execute(home, {
    nodes: [
      action('flaky', 'testing.fail', { times: 184 }, { retry }),
      control('loop', 'repeat', { times: 2_100 }),
      { ...set('each'), parentId: 'loop' },
    ],
    edges: chain('flaky', 'loop'),
  });
  expect((await home.ended(id)).status).toBe('COMPLETED');
  return { engineId: `${id}/${nodeId}` };
}

function isRunning({ status }: { status: string }): boolean {
  return status === 'RUNNING';
}

/** More than one child workflow takes. */
function manyItems(count = 110, concurrency = 20) {
  return {
    nodes: [
      control('each', 'forEach', { items: Array.from({ length: count }, (_, index) => index), concurrency }),
      { ...remote('work'), parentId: 'each' },
    ],
  };
}

const ENDS: Partial<Record<Kind, string>> = {
  failure: 'FAILED',
  cancelled: 'CANCELLED',
  loopCancelled: 'CANCELLED',
  timedOut: 'TIMED_OUT',
};

test.each(KINDS)('%s', async (kind) => {
  const home = await makeHome();
  const made = await MAKE[kind](home);
  if (typeof made === 'string') expect((await home.ended(made)).status).toBe(ENDS[kind] ?? 'COMPLETED');
  const { engineId, runId, client }: ByClock = typeof made === 'string' ? { engineId: made } : made;
  const handle = (client ?? (await stackTemporal())).workflow.getHandle(engineId, runId);
  await handle.result().catch(() => undefined);
  const history = JSON.parse(historyToJSON(await handle.fetchHistory()));
  await mkdir(HISTORIES, { recursive: true });
  await writeFile(join(HISTORIES, historyFile(kind)), `${JSON.stringify(anonymous(history), null, 2)}\n`);
});

/** Without the names of the processes and the machine that recorded it. */
function anonymous(value: unknown, key = ''): unknown {
  if (key === 'identity') return 'recorded';
  if (key === 'stackTrace') return '';
  if (key === 'stickyTaskQueue' || (key === 'taskQueue' && isSticky(value))) return { name: 'sticky' };
  if (Array.isArray(value)) return value.map((each) => anonymous(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, anonymous(each, name)]));
}

function isSticky(queue: unknown): boolean {
  return typeof queue === 'object' && queue !== null && JSON.stringify(queue).includes('STICKY');
}
