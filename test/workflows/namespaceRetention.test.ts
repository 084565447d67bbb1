import { expect, test } from '@jest/globals';
import { msToTs } from '@temporalio/common/lib/time.js';
import { pino } from 'pino';
import { compareRetention } from '../../engine/temporal/namespaceRetention.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';

const DAY_MS = 86_400_000;

/** What a worker that keeps ended executions for so many days logs at its start. */
async function warnings(namespace: string, executionDays: number): Promise<object[]> {
  const lines: object[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  await compareRetention(await stackTemporal(), namespace, executionDays, log);
  return lines;
}

test('a worker warns where executions are deleted before Temporal forgets them, by what the server says', async () => {
  const { workflowService } = await stackTemporal();
  const namespace = `retention-${crypto.randomUUID()}`;
  await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(7 * DAY_MS) });
  expect(await warnings(namespace, 6)).toEqual([
    expect.objectContaining({
      level: 40,
      EXECUTION_RETENTION_DAYS: 6,
      namespaceDays: 7,
      msg: expect.stringContaining('EXECUTION_RETENTION_DAYS is shorter'),
    }),
  ]);
  // Kept as long, longer, or for ever; or a server that does not say.
  for (const days of [7, 8, 0]) expect(await warnings(namespace, days)).toEqual([]);
  expect(await warnings('nowhere', 1)).toEqual([]);
});
