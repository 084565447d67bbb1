import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import { NO_OBSERVER, type NotedProgress } from '../../domain/operation/storeObserver.ts';
import { createDatabase, type Database } from '../../prisma/client.ts';
import { recordProgress } from '../../prisma/store/execution/recordProgress.ts';
import { writeExecutionEnd } from '../../prisma/store/execution/writeExecutionEnd.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';

// Metrics count what the database returns with a write: each end once, even if the write is repeated.

let own: MigratedDatabase;
let database: Database;
let noted: NotedProgress[] = [];

beforeAll(async () => {
  own = await startMigratedDatabase(1);
  database = createDatabase(own.url, 1, {
    observer: { ...NO_OBSERVER, progressed: (each) => void noted.push(each) },
  });
});
beforeEach(() => {
  noted = [];
});
afterAll(async () => {
  await database?.close();
  await own?.dispose();
});

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();

function step(nodeId: string, status: 'RUNNING' | 'COMPLETED' | 'FAILED', iteration = ''): StepRecord {
  const done = status === 'RUNNING' ? {} : { stoppedAt: at(3) };
  const about = { id: v7(), nodeId, iteration, label: nodeId, type: 'action', appId: 'core', actionId: 'set' };
  return { ...about, status, attempt: 1, startedAt: at(1), ...done } as unknown as StepRecord;
}

test('a write that is repeated is noted once', async () => {
  const { workspaceId, executionId } = await insertOwnExecution(database);
  const write = { steps: [step('a', 'COMPLETED'), step('b', 'RUNNING')] };
  await recordProgress(database, workspaceId, executionId, write);
  await recordProgress(database, workspaceId, executionId, write);
  expect(noted).toEqual([{ begunAfter: expect.any(Number), steps: [['core', 'set', 'COMPLETED', 2]] }]);
});

test('the end of an execution is noted once, with the steps that it cancels', async () => {
  const { workspaceId, executionId } = await insertOwnExecution(database);
  await recordProgress(database, workspaceId, executionId, { steps: [step('a', 'RUNNING')] });
  noted = [];
  const end = { status: 'CANCELLED' } as const;
  await writeExecutionEnd(database, workspaceId, executionId, end);
  await writeExecutionEnd(database, workspaceId, executionId, end);
  const steps = [['core', 'set', 'CANCELLED', expect.any(Number)]];
  expect(noted).toEqual([{ end: 'CANCELLED', lasted: expect.any(Number), steps }]);
});

test('one write is begin, steps and end', async () => {
  const { workspaceId, executionId } = await insertOwnExecution(database);
  const end = { status: 'FAILED', errorCode: 'X' } as const;
  await recordProgress(database, workspaceId, executionId, { steps: [step('a', 'FAILED')], end });
  await recordProgress(database, workspaceId, executionId, { steps: [step('a', 'FAILED')], end });
  expect(noted).toEqual([
    {
      begunAfter: expect.any(Number),
      end: 'FAILED',
      lasted: expect.any(Number),
      steps: [['core', 'set', 'FAILED', 2]],
    },
  ]);
});

test('of a test of a draft neither begin nor end is noted', async () => {
  for (const isRunning of [true, false]) {
    const { workspaceId, executionId } = await insertOwnExecution(database);
    const draft = { versionId: null, definition: {}, workflowId: v7() };
    await database.execution.update({ where: { id: executionId }, data: draft });
    const end = { status: 'FAILED', errorCode: 'X' } as const;
    noted = [];
    if (isRunning) await recordProgress(database, workspaceId, executionId, { steps: [step('a', 'FAILED')], end });
    else await writeExecutionEnd(database, workspaceId, executionId, end);
    expect(noted).toHaveLength(1);
    expect(noted[0]?.begunAfter).toBeUndefined();
    expect(noted[0]?.end).toBeUndefined();
  }
});

test('steps of scopes that are closed are noted as cancelled', async () => {
  const { workspaceId, executionId } = await insertOwnExecution(database);
  await recordProgress(database, workspaceId, executionId, { steps: [step('a', 'RUNNING', 'loop:0')] });
  noted = [];
  await recordProgress(database, workspaceId, executionId, { steps: [], cancelled: ['loop:0/'] });
  expect(noted).toEqual([{ steps: [['core', 'set', 'CANCELLED', expect.any(Number)]] }]);
});
