import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { poll } from '../setup/jest/poll.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, tool, userMessage } from '../setup/workspace/agentHome.ts';
import { chatOn, shown } from '../setup/workspace/chat.ts';

const STEPS = { steps: [{ title: 'Look it up' }, { title: 'Answer', status: 'open' }] };
const tools = [tool('testing', 'succeed') as never];

const asked = (home: AgentHome, index: number) => home.provider.requests[index]?.body;
const chosen = (home: AgentHome, index: number) => asked(home, index)?.tool_choice;
const results = (home: AgentHome, index: number) =>
  asked(home, index)
    ?.messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

test('enablePlanning: each turn begins with a plan, before forced tools; the model may bring it up to date', async () => {
  const home = await makeAgentHome({ enablePlanning: true, tools, forcedTools: ['testing_succeed'] });
  const done = { steps: [{ title: 'Look it up', status: 'done' }] };
  home.provider.answer(
    callTools({ id: 'p1', name: 'plan', arguments: STEPS }),
    callTools({ id: 'a', name: 'testing_succeed', arguments: {} }),
    callTools({ id: 'p2', name: 'plan', arguments: done }),
    say('Here it is'),
  );
  const taskId = randomUUID();
  const turn = await home.stream(taskId, { message: userMessage('Do it') });
  await turn.done;
  const force = (name: string) => ({ type: 'function', function: { name } });
  expect([0, 1, 2].map((index) => chosen(home, index))).toEqual([force('plan'), force('testing_succeed'), undefined]);
  expect(turn.chunks).toContainEqual({ type: 'tool-output-available', toolCallId: 'p1', output: STEPS });
  const [, answer] = await home.messages(taskId);
  expect(answer.parts.filter(({ type }: { type: string }) => type === 'tool-plan')).toMatchObject([
    { state: 'output-available', input: STEPS },
    { state: 'output-available', input: done },
  ]);
  home.provider.answer(callTools({ id: 'p3', name: 'plan', arguments: STEPS }), say('Again'));
  await home.send(taskId, 'And now?');
  expect(chosen(home, 4)).toEqual(force('plan'));
});

test('the model receives the error of an invalid plan', async () => {
  const home = await makeAgentHome({ enablePlanning: true });
  home.provider.answer(
    callTools(
      { id: 'a', name: 'plan', arguments: { steps: [] } },
      { id: 'b', name: 'plan', arguments: { steps: [{ title: 'x', status: 'lost' }], more: 1 } },
    ),
    say('Never mind'),
  );
  await home.send(randomUUID(), 'Do it');
  expect(results(home, 1)?.[0]).toContain('steps: must NOT have fewer than 1 items');
  expect(results(home, 1)?.[1]).toContain('more: unknown key, expected one of steps');
  expect(results(home, 1)?.[1]).toContain('open, underWay, done, dropped');
});

test('requirePlanApproval: nothing runs before a person has approved the plan, then all does, and a new plan asks nobody', async () => {
  const home = await makeAgentHome({ requirePlanApproval: true, tools });
  const chat = chatOn(home, home.apiKey, randomUUID(), {
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  // A model that does not keep to the plan.
  home.provider.answer(
    callTools({ id: 'early', name: 'testing_succeed', arguments: {} }, { id: 'p1', name: 'plan', arguments: STEPS }),
  );
  await chat.sendMessage({ text: 'Do it' });
  expect(await home.turn(chat.id)).toMatchObject({ status: 'NEEDS_APPROVAL' });
  expect(await home.database.execution.count({ where: { workspaceId: home.workspaceId } })).toBe(0);
  const parts = () => shown(chat.lastMessage).parts as { type: string; state: string; errorText?: string }[];
  expect(parts().find(({ type }) => type === 'tool-testing_succeed')).toMatchObject({
    state: 'output-error',
    errorText: expect.stringContaining('a plan comes first'),
  });
  const plan = parts().find(({ type }) => type === 'tool-plan') as unknown as { approval: { id: string } };
  expect(plan).toMatchObject({ state: 'approval-requested', input: STEPS });

  home.provider.answer(
    callTools(
      { id: 'now', name: 'testing_succeed', arguments: {} },
      { id: 'p2', name: 'plan', arguments: { steps: [{ title: 'Look it up', status: 'done' }] } },
    ),
    say('Done'),
  );
  await chat.addToolApprovalResponse({ id: plan.approval.id, approved: true });
  await poll(async () => (await home.turn(chat.id)).status).toBe('COMPLETED');
  await poll(async () => chat.status).toBe('ready');
  expect(results(home, 2)?.slice(1, 2)).toEqual([JSON.stringify(STEPS)]);
  expect(parts().filter(({ type, state }) => type === 'tool-plan' && state === 'output-available')).toHaveLength(2);
  expect(await home.database.runToolCall.findFirst({ where: { toolCallId: 'now' } })).toMatchObject({
    status: 'COMPLETED',
  });
  // The next turn has a plan of its own.
  home.provider.answer(callTools({ id: 'p3', name: 'plan', arguments: STEPS }));
  await chat.sendMessage({ text: 'More' });
  expect(await home.turn(chat.id)).toMatchObject({ status: 'NEEDS_APPROVAL' });
});

test('after a refused plan the model receives the reason, and may only propose another one', async () => {
  const home = await makeAgentHome({ enablePlanning: true, requirePlanApproval: true, tools });
  const taskId = randomUUID();
  const path = `/api/agents/${home.agentId}/tasks/${taskId}/message`;
  home.provider.answer(callTools({ id: 'p1', name: 'plan', arguments: STEPS }));
  await home.send(taskId, 'Do it');
  home.provider.answer(
    callTools({ id: 'a', name: 'testing_succeed', arguments: {} }),
    callTools({ id: 'p2', name: 'plan', arguments: { steps: [{ title: 'Another way' }] } }),
  );
  const parts = [{ type: 'tool-approval-response', approvalId: 'approve-p1', approved: false, reason: 'Too slow' }];
  const { status } = await home.api('POST', path, { body: { message: { role: 'assistant', parts } } });
  expect(status).toBe(200);
  expect(results(home, 1)).toEqual(['Not allowed: Too slow']);
  expect(results(home, 2)?.[1]).toContain('a plan comes first');
  expect(await home.turn(taskId)).toMatchObject({ status: 'NEEDS_APPROVAL' });
  expect(await home.database.execution.count({ where: { workspaceId: home.workspaceId } })).toBe(0);
});
