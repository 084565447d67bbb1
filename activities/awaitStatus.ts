import { Context } from '@temporalio/activity';
import type { ExecutionStatus } from '../domain/execution/status.ts';
import { readStates } from '../prisma/store/execution/readSnapshot.ts';
import type { ActivityServices } from './services.ts';
import { withHeartbeat } from './withHeartbeat.ts';

const HEARTBEAT_MS = 2_000;

/** Statuses are the change feed's, whose poll covers missed notifications. Undefined if there is no such row. */
export function awaitStatus<Status extends ExecutionStatus>(
  { database, feed }: ActivityServices,
  id: string,
  isIt: (status: ExecutionStatus) => status is Status,
): Promise<Status | undefined> {
  const { cancelled } = Context.current();
  return withHeartbeat(HEARTBEAT_MS, async () => {
    let reach: (status: Status) => void = () => {};
    const reached = new Promise<Status>((resolve) => {
      reach = resolve;
    });
    const following = feed.follow(id, ({ status }) => {
      if (isIt(status)) reach(status);
    });
    try {
      await following.begun();
      const [now] = await readStates(database, [id]);
      if (!now) return undefined;
      if (isIt(now.status)) return now.status;
      return await Promise.race([reached, cancelled]);
    } finally {
      following.stop();
    }
  });
}
