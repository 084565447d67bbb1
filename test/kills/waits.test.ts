import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { agentHomeOn } from '../setup/agentHome.ts';
import { gate } from '../setup/gate.ts';
import { action } from '../setup/graph.ts';
import { say } from '../setup/modelScript.ts';
import { ownHome } from '../setup/ownHome.ts';
import { poll } from '../setup/poll.ts';

const PATIENCE = { timeout: 90_000, interval: 200 };
/** One for a workspace. */
const PLACES = 2;
const WAITING = 8;

const { stack, home: own, database } = await ownHome({ environment: { WAITS_AT_ONCE: String(PLACES) } });
const connection = await Connection.connect({ address: stack.temporalAddress });
afterAll(() => connection.close());

test('executions that wait for the turns of one conversation hold no slot of the worker beyond the places for waits', async () => {
  const home = await agentHomeOn(own, database);
  const { after, goOn } = gate();
  home.provider.answer([...say('first '), { after }, ...say('answer')]);
  const taskId = randomUUID();
  const ask = action('ask', 'agent.run', { agentId: home.agentId, message: 'Hi', taskId });
  const workflowId = await home.deploy({ nodes: [ask] });
  const first = await home.execute(workflowId);
  await poll(async () => (await home.turn(taskId))?.status, PATIENCE).toBe('RUNNING');
  for (let turn = 0; turn < WAITING; turn += 1) home.provider.answer(say(`answer ${turn}`));
  const waiting = await Promise.all(Array.from({ length: WAITING }, () => home.execute(workflowId)));

  const { workflow } = new Client({ connection });
  /** Those that run now, and hold a slot; the others are due again later. */
  const waits = async () => {
    const described = await Promise.all(waiting.map((id) => workflow.getHandle(id).describe()));
    return described.flatMap(({ raw }) => raw.pendingActivities ?? []);
  };
  // SCHEDULED, and tried before: between two looks.
  const between = async () => (await waits()).filter(({ state, attempt }) => state === 1 && (attempt ?? 0) > 1).length;
  await poll(between, PATIENCE).toBeGreaterThanOrEqual(WAITING - PLACES);
  const reasons = (await waits()).map(({ lastFailure }) => lastFailure?.applicationFailureInfo?.type).filter(Boolean);
  expect(new Set(reasons)).toEqual(new Set(['NO_PLACE']));
  // An action of the same workspace has its slot.
  expect((await home.run({ nodes: [action('a', 'testing.wait', { ms: 1 })] })).status).toBe('COMPLETED');

  goOn();
  for (const id of [first, ...waiting]) expect((await home.ended(id)).status).toBe('COMPLETED');
}, 240_000);
