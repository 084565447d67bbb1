import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ACCESS_CHANNEL } from '../../../engine/feeds/accessFeed.ts';
import { EVENT_CHANNEL, FAILURE_CHANNEL } from '../../../engine/feeds/dueFeed.ts';
import { QUEUE_CHANNEL } from '../../../engine/queues/queueFeed.ts';
import { CHANGE_CHANNEL } from '../../../prisma/store/execution/recordProgress.ts';
import { onTestFinished } from '../jest/onTestFinished.ts';
import { poll } from '../jest/poll.ts';

const CHANNELS = [CHANGE_CHANNEL, QUEUE_CHANNEL, ACCESS_CHANNEL, EVENT_CHANNEL, FAILURE_CHANNEL];

/** Listens on all channels, like another process, until the test has ended. */
export async function listenToAll(databaseUrl: string) {
  const heard: { channel: string; payload: string }[] = [];
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('notification', ({ channel, payload = '' }) => heard.push({ channel, payload }));
  await client.connect();
  onTestFinished(() => client.end());
  for (const channel of [...CHANNELS, 'test_hello']) await client.query(`LISTEN ${channel}`);
  return {
    /** Returns earlier notifications with one of these names: the status for changes, otherwise channel and payload. */
    async of(...names: string[]): Promise<string[]> {
      const hello = randomUUID();
      await client.query('SELECT pg_notify($1, $2)', ['test_hello', hello]);
      await poll(() => heard.some(({ payload }) => payload === hello)).toBe(true);
      const named = heard.filter(({ payload }) => names.some((name) => payload.includes(name)));
      return named.map(({ channel, payload }) =>
        channel === CHANGE_CHANNEL ? (payload.split(' ')[2] ?? '') : `${channel} ${payload}`,
      );
    },
  };
}
