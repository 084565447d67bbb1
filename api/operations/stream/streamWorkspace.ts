import { EventStream, type Operation } from '../../operation.ts';

export const streamWorkspace: Operation<'streamWorkspace'> = async ({ caller, headers, signal, services }) => {
  const follower = { caller };
  const events = await services.workspaceFollowers.follow(follower, headers['last-event-id'], signal);
  // With fewer permissions than before it is sent less; the pipeline ends it where none of the operation's is left.
  return new EventStream(events, {}, async (now) => {
    follower.caller = now;
    return true;
  });
};
