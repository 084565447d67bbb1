import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { turnSpan } from '../../domain/trace/spanIds.ts';
import { poll } from '../setup/jest/poll.ts';
import { PRICED_MODEL } from '../setup/providers/modelPrices.ts';
import type { ModelRequest } from '../setup/providers/modelRequest.ts';
import { type ModelStep, say } from '../setup/providers/modelScript.ts';
import { engineStatus } from '../setup/stack/temporal.ts';
import { type AgentHome, makeAgentHome } from '../setup/workspace/agentHome.ts';

const HOW = 'Name the subject in three words.';

/** `named` contains the responses to the naming requests, in order. */
async function namingHome(...named: ModelStep[][]): Promise<{ home: AgentHome; namings: ModelRequest[] }> {
  const home = await makeAgentHome({ taskNamingInstructions: HOW, model: PRICED_MODEL });
  const namings: ModelRequest[] = [];
  home.provider.answerBy((request) => {
    if (!String(request.body.messages[0]?.content).includes(HOW)) return say('It is replaced.');
    namings.push(request);
    return named[namings.length - 1] ?? [{ status: 400 }];
  });
  return { home, namings };
}

const readTask = async (home: AgentHome, taskId: string) =>
  (await home.api('GET', `/api/tasks/${taskId}?expansion=name,usage,latestRun`)).body;

const turnIsDone = async (home: AgentHome, taskId: string) => engineStatus((await home.turn(taskId)).id);

test('a task is named after its first turn, by a call that no answer waits for, and whose tokens count', async () => {
  let answered: () => void = () => {};
  const isAnswered = new Promise<void>((done) => {
    answered = done;
  });
  const { home, namings } = await namingHome([
    { after: isAnswered },
    ...say('"Damaged ', 'lamp"\n'),
    { usage: { prompt: 100, completion: 5 } },
  ]);
  const taskId = randomUUID();
  expect((await home.send(taskId, 'My lamp is broken')).body.messages[0].parts).toContainEqual(
    expect.objectContaining({ text: 'It is replaced.' }),
  );
  expect((await readTask(home, taskId)).name).toBeNull();
  expect((await home.send(taskId, 'Thank you')).status).toBe(200);
  answered();
  await poll(() => readTask(home, taskId)).toMatchObject({ name: 'Damaged lamp' });
  const asked = namings[0]?.body;
  expect(asked?.model).toBe(PRICED_MODEL);
  expect(asked?.tools).toBeUndefined();
  expect(String(asked?.messages[1]?.content)).toContain('My lamp is broken');

  const runs = await home.database.taskRun.findMany({
    where: { task: { clientId: taskId } },
    orderBy: { createdAt: 'asc' },
  });
  expect(namings[0]?.headers.traceparent).toContain(`-${turnSpan(runs[0]?.id ?? '')}-`);
  const inTurns = runs.reduce((sum, { usage }) => sum + (usage as { inputTokens: number }).inputTokens, 0);
  const { usage } = await readTask(home, taskId);
  expect(usage.inputTokens).toBe(inTurns + 100);
  expect(usage.cost.currency).toBe('EUR');
  await home.send(taskId, 'One more');
  await turnIsDone(home, taskId);
  expect(namings.length).toBeLessThanOrEqual(2);
  expect((await readTask(home, taskId)).name).toBe('Damaged lamp');
});

test('a failed name does no harm: transient failures are retried, and otherwise the next turn tries', async () => {
  const { home, namings } = await namingHome(
    [{ status: 400, error: { message: 'No names today' } }],
    [{ status: 503 }],
    say('Broken lamp'),
  );
  const taskId = randomUUID();
  expect((await home.send(taskId, 'One')).status).toBe(200);
  await turnIsDone(home, taskId);
  expect(await readTask(home, taskId)).toMatchObject({ name: null, latestRun: { status: 'COMPLETED' } });
  expect(namings).toHaveLength(1);
  await home.send(taskId, 'Two');
  await turnIsDone(home, taskId);
  expect(await readTask(home, taskId)).toMatchObject({ name: 'Broken lamp', latestRun: { status: 'COMPLETED' } });
  expect(namings).toHaveLength(3);
});

test('a name that a person has given meanwhile stays, and one that has a name is not asked about', async () => {
  let renamed: () => void = () => {};
  const isRenamed = new Promise<void>((done) => {
    renamed = done;
  });
  const { home, namings } = await namingHome([{ after: isRenamed }, ...say('By the model')]);
  const taskId = randomUUID();
  await home.send(taskId, 'One');
  await poll(async () => namings.length).toBe(1);
  await home.api('PATCH', `/api/tasks/${taskId}`, { body: { name: 'By a person' } });
  renamed();
  await turnIsDone(home, taskId);
  expect((await readTask(home, taskId)).name).toBe('By a person');

  const { body } = await home.api('POST', `/api/agents/${home.agentId}/tasks`, { body: { name: 'From the start' } });
  await home.send(body.id, 'One');
  await turnIsDone(home, body.id);
  expect(namings).toHaveLength(1);
});
