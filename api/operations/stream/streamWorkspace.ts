import { EventStream, type Operation } from '../../operation.ts';
import type { WorkspaceFollower } from '../../streams/workspaceRoom.ts';

export const streamWorkspace: Operation<'streamWorkspace'> = async ({ caller, headers, signal, services }) => {
  const follower: WorkspaceFollower = { caller };
  const events = await services.workspaceFollowers.follow(follower, headers['last-event-id'], signal);
  // After losing permissions it gets fewer events; without any of the operation's, the pipeline ends it.
  return new EventStream(events, {}, async (now) => {
    const { permissions } = follower.caller;
    follower.caller = now;
    // More permissions than before: earlier events were omitted.
    const isSame =
      permissions.size === now.permissions.size && [...permissions].every((each) => now.permissions.has(each));
    if (!isSame) follower.resync?.();
    return true;
  });
};
