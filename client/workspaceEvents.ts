import type { components } from './contract.ts';
import { type FollowOptions, follow } from './followStream.ts';
import type { Send } from './transport.ts';

type Schemas = components['schemas'];

/** A change in a workspace. After `resync`, and after the first `heartbeat` of a connection, read the lists again. */
export type WorkspaceEvent =
  | ({ type: 'execution.changed' } & Schemas['ExecutionChangedEvent']['data'])
  | ({ type: 'question.opened' } & Schemas['QuestionOpenedEvent']['data'])
  | ({ type: 'question.closed' } & Schemas['QuestionClosedEvent']['data'])
  | ({ type: 'queue.changed' } & Schemas['QueueChangedEvent']['data'])
  | ({ type: 'object.changed' } & Schemas['ObjectChangedEvent']['data'])
  | ({ type: 'task.changed' } & Schemas['TaskChangedEvent']['data'])
  | { type: 'resync' }
  | { type: 'heartbeat' };

export interface WorkspaceFollowOptions extends FollowOptions {
  /** Called with true when a connection is established, and with false before a retry. */
  onConnection?: (stands: boolean) => void;
}

/** Yields changes in the caller's workspace, across lost connections, until the signal is aborted. */
export async function* followWorkspace(
  send: Send,
  { onConnection, ...options }: WorkspaceFollowOptions = {},
): AsyncGenerator<WorkspaceEvent, void> {
  const begin = async (lastId: string | undefined) => {
    onConnection?.(false);
    const answer = await send('streamWorkspace', {
      ...(lastId === undefined ? {} : { headers: { 'last-event-id': lastId } }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    onConnection?.(true);
    return answer;
  };
  for await (const { event } of follow(begin, options)) yield event as WorkspaceEvent;
}
