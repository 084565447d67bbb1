import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from '../setup/ownStack.ts';
import type { World } from './life.ts';

const LAST_EVENTS = 12;
const LAST_LINES = 30;

/** What is known of executions that did not end: as the API tells them, their histories' ends, and the log's. */
export async function tellOpen(
  { home, temporal }: World,
  stack: Stack,
  open: ReadonlyMap<number, string>,
): Promise<string> {
  const told = [...open].map(async ([index, executionId]) => {
    const read = await home.read(executionId).catch(String);
    const handle = temporal.workflow.getHandle(executionId);
    const engine = await handle
      .describe()
      .then(({ status, raw }) => ({ status: status.name, pendingActivities: raw.pendingActivities }), String);
    const history = await handle
      .fetchHistory()
      .then(
        ({ events }) =>
          events?.slice(-LAST_EVENTS).map(({ eventType, eventTime }) => `${eventTime?.seconds} ${eventType}`),
        String,
      );
    return JSON.stringify({ index, executionId, read, engine, history }, undefined, 1);
  });
  const log = await readFile(join(stack.dataDir, 'logs/perdure.log'), 'utf8');
  const lines = log.split('\n').filter((line) => [...open.values()].some((id) => line.includes(id)));
  return [...(await Promise.all(told)), ...lines.slice(-LAST_LINES)].join('\n');
}
