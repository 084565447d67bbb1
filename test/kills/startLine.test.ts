// test: long
import { expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { connectionTo } from '../setup/stack/temporal.ts';
import { action } from '../setup/workspace/graph.ts';
import type { Home } from '../setup/workspace/home.ts';
import { neighbourOn } from '../setup/workspace/neighbour.ts';

const IN_FLIGHT = 4;
const STARTS = 120;
const PATIENCE = { timeout: 90_000, interval: 200 };

const { stack, home } = await ownHome({ environment: { STARTS_IN_FLIGHT: String(IN_FLIGHT) } });
const neighbour = await neighbourOn(stack);

const counted = async (of: Home, status: string) =>
  (await of.api('GET', `/api/executions?limit=1000&filterBy=status:${status}`)).body.length;

async function beganEagerly(executionId: string): Promise<boolean> {
  const connection = await connectionTo(stack.temporalAddress);
  const { workflow } = new Client({ connection });
  const history = await workflow
    .getHandle(executionId)
    .fetchHistory()
    .finally(() => connection.close());
  return history.events?.[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted === true;
}

test('starts wait in line: few at once, another workspace is next, and neither SIGTERM nor kill -9 loses one', async () => {
  const keys: string[] = [];
  const { url } = await loopback((call, response) => {
    const key = String(call.headers['idempotency-key']);
    keys.push(key);
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }, 150);
  });
  const call = { nodes: [action('call', 'http.request', { method: 'POST', url })] };
  const workflowId = await home.deploy(call);
  const ids = await Promise.all(Array.from({ length: STARTS }, () => home.execute(workflowId)));
  expect(await counted(home, 'PENDING')).toBeGreaterThan(STARTS / 2);
  expect((await neighbour.run(call)).status).toBe('COMPLETED');
  expect(await counted(home, 'PENDING')).toBeGreaterThan(STARTS / 2);

  const { exitCode, tookMs } = await stack.stop();
  expect(exitCode).toBe(0);
  expect(tookMs).toBeLessThan(10_000);
  await stack.startAgain();
  await poll(() => counted(home, 'COMPLETED'), PATIENCE).toBeGreaterThan(STARTS / 4);
  await stack.killMain();
  await stack.startAgain();
  await poll(() => counted(home, 'COMPLETED'), PATIENCE).toBe(STARTS);
  expect(new Set(keys).size).toBe(STARTS + 1);
  // A waiting start is queued behind the tasks of earlier ones.
  const eager = await Promise.all(ids.map(beganEagerly));
  expect(eager.filter(Boolean).length).toBeGreaterThan(0);
  expect(eager.filter(Boolean).length).toBeLessThan(STARTS / 2);
  for (const id of ids) expect((await home.read(id)).executionPath).toMatchObject([{ status: 'COMPLETED' }]);
});
