import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { PRICED_MODEL } from '../setup/providers/modelPrices.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { makeAgentHome, tool, userMessage } from '../setup/workspace/agentHome.ts';

const [inEuro, none] = [(amount: string) => ({ amount, currency: 'EUR' }), undefined];

/** Two model calls with a tool between them: 1,000 tokens in, 400 of them cached, 10 out; then 2,000 in, 20 out. */
const script = () => [
  [
    ...callTools({ id: randomUUID(), name: 'testing_succeed', arguments: {} }),
    { usage: { prompt: 1_000, cached: 400, completion: 10 } },
  ],
  [...say('Done'), { usage: { prompt: 2_000, completion: 20 } }],
];

test('the cost stands beside the usage of each step, turn, message and task, where the model has a price', async () => {
  const home = await makeAgentHome({ model: PRICED_MODEL, tools: [tool('testing', 'succeed') as never] });
  const taskId = randomUUID();
  const read = async (expansion: string) => (await home.api('GET', `/api/tasks/${taskId}?expansion=${expansion}`)).body;
  home.provider.answer(...script());
  const turn = await home.stream(taskId, { message: userMessage('Do it') });
  expect(await turn.done).toBe(true);
  const cost = inEuro('0.001128');
  expect(turn.chunks.at(-1)).toMatchObject({ type: 'finish', messageMetadata: { usage: { cost } } });
  const { latestRun, usage, messageUsage, messages, runs } = await read('latestRun,usage,messageUsage,messages,runs');
  expect(latestRun.usage).toMatchObject({ inputTokens: 3_000, cachedInputTokens: 400, outputTokens: 30, cost });
  expect([usage, messageUsage[messages[1].id]]).toEqual([latestRun.usage, latestRun.usage]);
  expect(messages[1].metadata.usage.cost).toEqual(cost);
  expect(runs).toEqual([
    {
      ...latestRun,
      messageId: messages[1].id,
      steps: [
        { step: 1, finishReason: 'tool-calls', usage: expect.objectContaining({ cost: inEuro('0.000296') }) },
        { step: 2, finishReason: 'stop', usage: expect.objectContaining({ cost: inEuro('0.000832') }) },
      ],
    },
  ]);

  // A second turn: the sum of both.
  home.provider.answer(...script());
  await home.send(taskId, 'Again');
  expect((await read('usage')).usage).toMatchObject({ inputTokens: 6_000, cost: inEuro('0.002256') });
});

test('a message that goes on after an approval has the usage of all its turns, in the stream and as it is read', async () => {
  const tools = [tool('testing', 'succeed', { policy: 'approve' }) as never];
  const home = await makeAgentHome({ model: PRICED_MODEL, tools });
  const taskId = randomUUID();
  home.provider.answer(...script());
  const [asked] = (await home.send(taskId, 'Do it')).body.messages;
  const approvalId = asked.parts.at(-1).approval.id;
  const parts = [{ type: 'tool-approval-response', approvalId, approved: true }];
  const turn = await home.stream(taskId, { message: { id: asked.id, role: 'assistant', parts } });
  expect(await turn.done).toBe(true);
  const usage = { inputTokens: 3_000, cachedInputTokens: 400, outputTokens: 30, cost: inEuro('0.001128') };
  expect(turn.chunks.at(-1)).toMatchObject({ type: 'finish', messageMetadata: { usage } });
  const { body } = await home.api('GET', `/api/tasks/${taskId}?expansion=messageUsage,messages`);
  expect(body.messages[1].metadata.usage).toEqual(body.messageUsage[asked.id]);
  expect(body.messageUsage[asked.id]).toMatchObject(usage);
  expect(body.latestRun.usage).toMatchObject({ inputTokens: 2_000 });
});

test('a model without a price has usage alone, and a task that is priced in part has no cost', async () => {
  const home = await makeAgentHome({ tools: [tool('testing', 'succeed') as never] });
  const taskId = randomUUID();
  home.provider.answer(...script());
  await home.send(taskId, 'Do it');
  const read = async () =>
    (await home.api('GET', `/api/tasks/${taskId}?expansion=latestRun,usage,messageUsage,messages,runs`)).body;
  expect(JSON.stringify(await read())).not.toContain('cost');

  const { definition } = await home.database.agent.findUniqueOrThrow({ where: { id: home.agentId } });
  await home.database.agent.update({
    where: { id: home.agentId },
    data: { definition: { ...(definition as object), selectedModelId: PRICED_MODEL } },
  });
  home.provider.answer(...script());
  await home.send(taskId, 'Again');
  const { latestRun, usage } = await read();
  expect([latestRun.usage.cost, usage.cost]).toEqual([inEuro('0.001128'), none]);
  expect(usage.inputTokens).toBe(6_000);
});
