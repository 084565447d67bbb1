import { expect } from '@jest/globals';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { said, startMcpServer, textTool } from '../setup/providers/mcpServer.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { sharedKill } from '../setup/stack/sharedKill.ts';
import { type AgentHome, agentHomeOn, textIn, textOf, tool, userMessage } from '../setup/workspace/agentHome.ts';
import { requestsOf, scriptAgents } from '../setup/workspace/agentScripts.ts';

// The stored message must match what the scripted provider sent in the successful call.

const PATIENCE = { timeout: 90_000, interval: 200 };

const { stack, home: own, database } = await ownHome();

const agentHome = (settings?: Parameters<typeof agentHomeOn>[2]) => agentHomeOn(own, database, settings);

const testOfKill = sharedKill(stack);

/** Returns the newest turn; undefined while the database is unavailable. */
const turnOf = (home: AgentHome, taskId: string) => home.turn(taskId).catch(() => undefined);
const statusOf = (home: AgentHome, taskId: string) => async () => (await turnOf(home, taskId))?.status;

testOfKill(
  'killed during a model call with three followers, the message ends whole, and returning followers read all of it',
  async ({ kill }) => {
    const home = await agentHome();
    const { after, goOn } = gate();
    home.provider.answer([...say('Hel'), { hang: true }], [...say('Good '), { after }, ...say('day')]);
    const followers = [await home.stream('call', { message: userMessage('Hi') })];
    followers.push(await home.resume('call'), await home.resume('call'));
    for (const { chunks } of followers) await poll(() => textOf(chunks), PATIENCE).toBe('Hel');
    await kill();
    expect(await Promise.all(followers.map(({ done }) => done))).toEqual([false, false, false]);
    await home.provider.request(2);
    const again = await Promise.all([home.resume('call'), home.resume('call'), home.resume('call')]);
    goOn();
    expect(await Promise.all(again.map(({ done }) => done))).toEqual([true, true, true]);
    expect(again.map(({ chunks }) => textOf(chunks))).toEqual(['Good day', 'Good day', 'Good day']);
    const [, message, ...more] = await home.messages('call');
    expect([textIn(message), more]).toEqual(['Good day', []]);
  },
);

testOfKill(
  'killed when a tool has just answered, between two steps, its effect has one key, and the message is whole',
  async ({ othersStand, kill }) => {
    const keys = new Set<string>();
    let restarted: Promise<void> | undefined;
    const { url } = await loopback(({ headers }, response) => {
      keys.add(String(headers['idempotency-key']));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"paid":true}', () => {
        restarted ??= kill();
      });
    });
    const home = await agentHome({ tools: [tool('http', 'request', { inputs: { method: 'POST', url } })] as never });
    home.provider.answerBy(({ body }) =>
      body.messages.at(-1)?.role === 'tool'
        ? say('Paid.')
        : callTools({ id: 'c1', name: 'http_request', arguments: { body: { a: 1 } } }),
    );
    await othersStand();
    await home.stream('between', { message: userMessage('Pay') });
    await poll(statusOf(home, 'between'), PATIENCE).toBe('COMPLETED');
    await restarted;
    expect(keys.size).toBe(1);
    const [, message, ...more] = await home.messages('between');
    expect(message?.parts).toMatchObject([{}, { output: { body: { paid: true } } }, {}, { text: 'Paid.' }]);
    expect(more).toEqual([]);
  },
);

testOfKill(
  'killed during a tool, its effect has one idempotency key, and the turn continues with its result',
  async ({ kill }) => {
    const keys: string[] = [];
    let answersNow = false;
    const { url } = await loopback(({ headers }, response) => {
      keys.push(String(headers['idempotency-key']));
      if (answersNow) response.writeHead(200, { 'content-type': 'application/json' }).end('{"paid":true}');
    });
    const home = await agentHome({ tools: [tool('http', 'request', { inputs: { method: 'POST', url } })] as never });
    home.provider.answer(callTools({ id: 'c1', name: 'http_request', arguments: { body: { a: 1 } } }), say('Paid.'));
    const turn = await home.stream('tool', { message: userMessage('Pay') });
    await poll(() => keys.length, PATIENCE).toBe(1);
    answersNow = true;
    await kill();
    await turn.done;
    await poll(statusOf(home, 'tool'), PATIENCE).toBe('COMPLETED');
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).not.toBe('undefined');
    const [, message] = await home.messages('tool');
    expect(message?.parts).toMatchObject([
      {},
      { state: 'output-available', output: { body: { paid: true } } },
      {},
      { text: 'Paid.' },
    ]);
    expect(home.provider.requests).toHaveLength(2);
  },
);

testOfKill(
  'killed while it waits for another agent, that one answers once, and its answer is the result',
  async ({ kill }) => {
    const home = await agentHome();
    const clerk = await home.agent({ instructions: 'clerk' });
    const boss = await home.agent({ instructions: 'boss', subAgentIds: [clerk] });
    scriptAgents(home, {
      boss: [callTools({ id: 'c1', name: `agent_${clerk}`, arguments: { message: 'Look' } }), say('Done.')],
      clerk: [[...say('Se'), { hang: true }], say('Seven')],
    });
    const place = `/api/agents/${boss}/tasks/sub/stream-message`;
    const sent = home.api('POST', place, { body: { message: userMessage('Hi') } });
    await poll(() => requestsOf(home, 'clerk')[0]?.sent, PATIENCE).toBe('Se');
    await sent.catch(() => undefined);
    await kill();
    await poll(statusOf(home, 'sub'), PATIENCE).toBe('COMPLETED');
    const [, message] = await home.messages('sub');
    expect(message?.parts).toMatchObject([{}, { output: { text: 'Seven' } }, {}, { text: 'Done.' }]);
    expect(await database.task.count({ where: { parentTask: { clientId: 'sub' } } })).toBe(1);
    expect(requestsOf(home, 'clerk')).toHaveLength(2);
  },
);

testOfKill(
  'killed during calls of an MCP server: repeatable calls are repeated, others are reported as lost and were called once',
  async ({ kill }) => {
    const calls: string[] = [];
    let answersNow = false;
    const { url } = await startMcpServer({
      tools: [textTool('read', { readOnlyHint: true }), textTool('pay')],
      answer: ({ name }) => {
        calls.push(name);
        return answersNow ? said(name) : new Promise(() => undefined);
      },
    });
    const home = await agentHome({ mcpServers: [{ name: 'shop', url }] as never });
    home.provider.answer(
      callTools({ id: 'c1', name: 'mcp_shop_read', arguments: {} }, { id: 'c2', name: 'mcp_shop_pay', arguments: {} }),
      say('Done.'),
    );
    const turn = await home.stream('mcp', { message: userMessage('Do it') });
    await poll(() => calls.length, PATIENCE).toBe(2);
    answersNow = true;
    await kill();
    await turn.done;
    await poll(statusOf(home, 'mcp'), PATIENCE).toBe('COMPLETED');
    expect(calls.filter((name) => name === 'pay')).toHaveLength(1);
    const [, message] = await home.messages('mcp');
    expect(message?.parts).toMatchObject([
      {},
      { output: 'read' },
      { errorText: 'The call was lost with its worker: whether it had an effect is not known' },
      {},
      { text: 'Done.' },
    ]);
  },
);

testOfKill(
  'a stop right after all processes were killed takes effect, and keeps the received text',
  async ({ kill }) => {
    const home = await agentHome();
    home.provider.answer([...say('Hel'), { hang: true }], [...say('never'), { hang: true }]);
    const turn = await home.stream('stop', { message: userMessage('Hi') });
    await poll(() => textOf(turn.chunks), PATIENCE).toBe('Hel');
    await kill();
    expect((await home.stop('stop')).body).toEqual({ stopped: true });
    await poll(statusOf(home, 'stop'), PATIENCE).toBe('STOPPED');
    const [, message] = await home.messages('stop');
    expect(['Hel', 'never']).toContain(textIn(message));
    expect((await home.stop('stop')).body).toEqual({ stopped: false });
  },
);

testOfKill('a turn that waits for an approval survives a kill and continues', async ({ kill }) => {
  const home = await agentHome({ tools: [tool('testing', 'succeed', { policy: 'approve' })] as never });
  home.provider.answer(callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: 7 } }), say('Seven.'));
  const asked = await home.send('approval', 'Do it');
  expect(await home.turn('approval')).toMatchObject({ status: 'NEEDS_APPROVAL' });
  await kill();
  const approvalId = asked.body.messages[0].parts.at(-1).approval.id;
  const parts = [{ type: 'tool-approval-response', approvalId, approved: true }];
  const place = `/api/agents/${home.agentId}/tasks/approval/message`;
  const { body } = await home.api('POST', place, { body: { message: { role: 'assistant', parts } } });
  expect(textIn(body.messages[0])).toBe('Seven.');
});
