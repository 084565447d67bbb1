import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../prisma/client.ts';
import { action } from '../setup/graph.ts';
import { type Home, homeOn } from '../setup/home.ts';
import { loopback } from '../setup/loopback.ts';
import { type Stack, startStack } from '../setup/ownStack.ts';
import { makeWorkspace } from '../setup/workspace.ts';

const IN_FLIGHT = 2;
const STARTS = 40;
const PATIENCE = { timeout: 90_000, interval: 200 };

let stack: Stack;
let home: Home;
let neighbour: Home;

beforeAll(async () => {
  stack = await startStack({ environment: { STARTS_IN_FLIGHT: String(IN_FLIGHT) } });
  home = homeOn(stack);
  const database = createDatabase(stack.databaseUrl, 1);
  const credentials = { ...(await makeWorkspace({ url: stack.url, database })), temporalUiUrl: null };
  await database.$disconnect();
  neighbour = homeOn({ ...stack, url: stack.url, credentials });
});

afterAll(() => stack?.dispose());

const counted = async (of: Home, status: string) =>
  (await of.api('GET', `/api/executions?limit=1000&filterBy=status:${status}`)).body.length;

test('starts wait in line: few at once, another workspace is next, and neither SIGTERM nor kill -9 loses one', async () => {
  const inside = new Set<string>();
  const keys: string[] = [];
  let most = 0;
  const { url } = await loopback((call, response) => {
    const key = String(call.headers['idempotency-key']);
    keys.push(key);
    inside.add(key);
    most = Math.max(most, inside.size);
    setTimeout(() => {
      inside.delete(key);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }, 150);
  });
  const call = { nodes: [action('call', 'http.request', { method: 'POST', url })] };
  const workflowId = await home.deploy(call);
  const ids = await Promise.all(Array.from({ length: STARTS }, () => home.execute(workflowId)));
  expect(await counted(home, 'PENDING')).toBeGreaterThan(STARTS / 2);
  expect((await neighbour.run(call)).status).toBe('COMPLETED');
  expect(await counted(home, 'PENDING')).toBeGreaterThan(STARTS / 2);
  // One that is slow is let go after a while.
  expect(most).toBeLessThan(STARTS / 4);

  const { exitCode, tookMs } = await stack.stop();
  expect(exitCode).toBe(0);
  expect(tookMs).toBeLessThan(10_000);
  await stack.startAgain();
  await expect.poll(() => counted(home, 'COMPLETED'), PATIENCE).toBeGreaterThan(STARTS / 4);
  await stack.killMain();
  await stack.startAgain();
  await expect.poll(() => counted(home, 'COMPLETED'), PATIENCE).toBe(STARTS);
  // One that a killed worker had under way was called once more, with its key.
  expect(new Set(keys).size).toBe(STARTS + 1);
  for (const id of ids) expect((await home.read(id)).executionPath).toMatchObject([{ status: 'COMPLETED' }]);
});
