import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { addItems, makeQueue } from '../setup/database/queueRows.ts';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { eventReceiver } from '../setup/providers/eventReceiver.ts';
import { say } from '../setup/providers/modelScript.ts';
import { agentHomeOn } from '../setup/workspace/agentHome.ts';
import { chain, question } from '../setup/workspace/graph.ts';
import type { Home } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const LEASE_MS = 20_000;
const PATIENCE = { timeout: 180_000, interval: 300 };

/** Unfinished work at a backup, in addition to executions. */
export interface OpenWork {
  /** `id` in each line of the restore's report, by kind. */
  reported: Record<string, string>;
  /** Resolves when everything has continued in the restored deployment. */
  goesOn(after: Home): Promise<void>;
}

/** A turn without the model's answer, a claimed item, and an event that its receiver has rejected. */
export async function openWork(before: Home): Promise<OpenWork> {
  const database = stackDatabase();
  const { workspaceId } = before;

  const agents = await agentHomeOn(before, database);
  const { after: answered, goOn } = gate();
  agents.provider.answerBy(() => [{ after: answered }, ...say('Done')]);
  const taskId = randomUUID();
  const sent = agents.send(taskId, 'Do it');
  await agents.provider.request(1);
  const turn = await agents.turn(taskId);

  const queueId = await makeQueue(database, before, { maxRetries: 5, retryDelayMinutes: 0 });
  const [itemId = ''] = await addItems(database, workspaceId, queueId, [{ data: { n: 1 } }]);
  const claim = (home: Home) => home.api('POST', `/api/queues/${queueId}/items/claim`, { body: { leaseMs: LEASE_MS } });
  expect((await claim(before)).body).toMatchObject([{ id: itemId }]);

  const asking = await before.deploy({ nodes: [question('seen')], edges: chain('trigger', 'seen') });
  let takes = false;
  const receiver = await eventReceiver(() => (takes ? 204 : 503));
  const subscription = await before.api('POST', '/api/event-subscriptions', {
    body: { url: receiver.url, events: ['question.opened'], filterBy: `workflowId:${asking}` },
  });
  expect(subscription.status).toBe(201);
  const deliveries = async (home: Home) =>
    (await home.api('GET', `/api/event-subscriptions/${subscription.body.id}/deliveries`)).body;
  await before.asked(await before.execute(asking), 'seen');
  await poll(() => receiver.seen.length, PATIENCE).toBeGreaterThan(0);
  await poll(() => deliveries(before), PATIENCE).toMatchObject([{ status: 'pending' }]);
  const eventId = receiver.seen[0]?.id;

  return {
    reported: { turns: turn.id, queueItemsLeased: itemId },
    async goesOn(after) {
      const turnsOn = async () => {
        // The restored workers call the model again.
        await agents.provider.request(2);
        goOn();
        const run = async () => (await after.api('GET', `/api/tasks/${taskId}?expansion=latestRun`)).body.latestRun;
        await poll(run, PATIENCE).toMatchObject({ id: turn.id, status: 'COMPLETED' });
      };
      const itemComesBack = () =>
        poll(async () => (await claim(after)).body, PATIENCE).toMatchObject([{ id: itemId, data: { n: 1 } }]);
      const eventArrives = async () => {
        takes = true;
        await poll(() => deliveries(after), PATIENCE).toMatchObject([{ id: eventId, status: 'delivered' }]);
      };
      await Promise.all([turnsOn(), itemComesBack(), eventArrives()]);
      // The original deployment has continued, too.
      expect((await sent).status).toBe(200);
    },
  };
}
