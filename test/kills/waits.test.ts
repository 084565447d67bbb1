import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { say } from '../setup/providers/modelScript.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { connectionTo } from '../setup/stack/temporal.ts';
import { agentHomeOn } from '../setup/workspace/agentHome.ts';
import { action } from '../setup/workspace/graph.ts';

const PATIENCE = { timeout: 120_000, interval: 1_000 };
const PLACES = 2;
/** Long form: WAITS=270 npm test -- test/kills/waits, more than the slots (worker/startWorker.ts: 250 plus FEW). */
const WAITING = Number(process.env.WAITS ?? 8);
/** Maximum number of simultaneous checks, each of which occupies a slot briefly. */
const LOOKING = Math.ceil(WAITING / 12);
const FEW = { WAITS_AT_ONCE: String(PLACES), ACTIONS_AT_ONCE: '2', POLLS_AT_ONCE: '1' };

const { stack, home: own, database } = await ownHome({ environment: FEW });
const connection = await connectionTo(stack.temporalAddress);
afterAll(() => connection.close());

test('executions that wait for the turns of one conversation hold no slot of the worker beyond the places for waits', async () => {
  const home = await agentHomeOn(own, database);
  const { after, goOn } = gate();
  home.provider.answer([...say('first '), { after }, ...say('answer')]);
  home.provider.answerBy(() => say('answer'));
  const taskId = randomUUID();
  const ask = action('ask', 'agent.run', { agentId: home.agentId, message: 'Hi', taskId });
  const workflowId = await home.deploy({ nodes: [ask] });
  const first = await home.execute(workflowId);
  await poll(async () => (await home.turn(taskId))?.status, PATIENCE).toBe('RUNNING');
  const waiting = await Promise.all(Array.from({ length: WAITING }, () => home.execute(workflowId)));

  const { workflow } = new Client({ connection });
  /** Waits that occupy a slot now; the others are scheduled again later. */
  const waits = async () => {
    const described = await Promise.all(waiting.map((id) => workflow.getHandle(id).describe()));
    return described.flatMap(({ raw }) => raw.pendingActivities ?? []);
  };
  await poll(async () => (await waits()).length, PATIENCE).toBe(WAITING);
  // An action of the same workspace gets a slot, even with more waits than slots.
  expect((await home.run({ nodes: [action('a', 'testing.wait', { ms: 1 })] })).status).toBe('COMPLETED');
  // SCHEDULED after earlier tries means between two checks.
  const between = async () => (await waits()).filter(({ state, attempt }) => state === 1 && (attempt ?? 0) > 1).length;
  await poll(between, PATIENCE).toBeGreaterThanOrEqual(WAITING - PLACES - LOOKING);
  const reasons = (await waits()).map(({ lastFailure }) => lastFailure?.applicationFailureInfo?.type).filter(Boolean);
  expect(new Set(reasons)).toEqual(new Set(['NO_PLACE']));

  goOn();
  expect((await home.ended(first)).status).toBe('COMPLETED');
  // Each detects the end of its own turn; the others end with the stack.
  const filter = `workflowId:${workflowId},status:COMPLETED`;
  const ended = async () => (await home.api('GET', `/api/executions?filterBy=${filter}`)).body.length;
  await poll(ended, PATIENCE).toBeGreaterThanOrEqual(4);
}, 240_000);
