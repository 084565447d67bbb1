import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Connection } from '@temporalio/client';
import { v7 } from 'uuid';
import { findTemporal } from '../../embedded/temporalBinary.ts';
import { type EmbeddedTemporal, startTemporal } from '../../embedded/temporalServer.ts';
import { createGateway, type Gateway } from '../../engine/temporal/gateway.ts';
import { choosePort } from '../../process/ports.ts';
import { connectionTo } from '../setup/stack/temporal.ts';

// Uses workflows on a real server that are not Perdure's and that no worker runs.

let dataDir: string;
let temporal: EmbeddedTemporal;
let connection: Connection;
let client: Client;
let gateway: Gateway;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'perdure-temporal-'));
  const command = await findTemporal(process.env, () => undefined);
  const free = () => choosePort({ name: 'TEMPORAL_PORT', port: 0, isDefault: false });
  const ports = { port: await free(), ui: { host: '127.0.0.1', port: await free() } };
  temporal = await startTemporal({ command, dataDir, ...ports, namespace: 'default', say: () => undefined });
  connection = await connectionTo(temporal.address);
  client = new Client({ connection });
  gateway = createGateway({ client, taskQueue: 'nobody', callTimeoutMs: 10_000, eagerStart: false });
});
afterAll(async () => {
  await connection?.close();
  await temporal?.child.stop(2_000);
  rmSync(dataDir, { recursive: true, force: true });
});

const spec = (workflowId: string) => ({ type: 'turn', workflowId, args: [{ taskId: 'x' }], title: 'A turn' });

test('it is started once, hears signals, and ends where it is cancelled or terminated', async () => {
  const id = v7();
  expect(await gateway.start(spec(id))).toBe(true);
  expect(await gateway.start(spec(id))).toBe(false);
  expect(await gateway.signal(id, 'message', { at: 1 })).toBe(true);
  expect(await gateway.cancel(id)).toBe(true);
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  expect(events?.flatMap((each) => each.workflowExecutionSignaledEventAttributes?.signalName ?? [])).toEqual([
    'message',
  ]);
  expect(events?.some((each) => each.workflowExecutionCancelRequestedEventAttributes)).toBe(true);

  expect(await gateway.untilEnded(id, 200)).toBe(false);
  expect(await gateway.terminate(id, 'enough')).toBe(true);
  expect(await gateway.untilEnded(id, 10_000)).toBe(true);
  expect(await gateway.cancel(id)).toBe(false);
  expect(await gateway.start(spec(id))).toBe(false);
});

test('a repeatable workflow runs again once it has ended, and never twice at a time', async () => {
  const id = v7();
  const repeats = { ...spec(id), mayRepeat: true };
  expect([await gateway.start(repeats), await gateway.start(repeats)]).toEqual([true, false]);
  await gateway.terminate(id, 'enough');
  expect(await gateway.start(repeats)).toBe(true);
});

test('a workflow that does not run receives nothing', async () => {
  const id = v7();
  expect(await gateway.signal(id, 'message')).toBe(false);
  expect(await gateway.cancel(id)).toBe(false);
  expect(await gateway.terminate(id, 'enough')).toBe(false);
  expect(await gateway.untilEnded(id, 10_000)).toBe(true);
});

test('cancels, signals and ends of an ended workflow are refused, and nothing changes', async () => {
  const id = v7();
  await gateway.start(spec(id));
  await gateway.terminate(id, 'enough');
  expect(await gateway.cancel(id)).toBe(false);
  expect(await gateway.signal(id, 'message')).toBe(false);
  expect(await gateway.terminate(id, 'again')).toBe(false);
  expect((await client.workflow.getHandle(id).describe()).status.name).toBe('TERMINATED');
});

test('its life and its delay are of the server', async () => {
  const id = v7();
  await gateway.start({ ...spec(id), lifeMs: 60_000, delayMs: 86_400_000 });
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  expect(Number(started?.workflowExecutionTimeout?.seconds)).toBe(60);
  expect(Number(started?.firstWorkflowTaskBackoff?.seconds)).toBe(86_400);
});
