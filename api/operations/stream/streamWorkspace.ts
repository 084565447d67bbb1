import { EventStream, type Operation } from '../../operation.ts';
import type { WorkspaceFollower } from '../../streams/workspaceRoom.ts';

export const streamWorkspace: Operation<'streamWorkspace'> = async ({ caller, headers, signal, services }) => {
  const follower: WorkspaceFollower = { caller };
  const events = await services.workspaceFollowers.follow(follower, headers['last-event-id'], signal);
  // With fewer permissions than before it is sent less; the pipeline ends it where none of the operation's is left.
  return new EventStream(events, {}, async (now) => {
    const { permissions } = follower.caller;
    follower.caller = now;
    // What it may see and do is another: with more than before, events were left out until now.
    const isSame =
      permissions.size === now.permissions.size && [...permissions].every((each) => now.permissions.has(each));
    if (!isSame) follower.resync?.();
    return true;
  });
};
