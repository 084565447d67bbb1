import type { Readable } from 'node:stream';
import type { UnreadBytes } from '../streams/eventStream.ts';
import { Followers } from '../streams/followers.ts';
import { ExecutionRoom, type ExecutionRoomOptions } from './executionRoom.ts';

export interface FollowersOptions extends ExecutionRoomOptions {
  heartbeatMs: number;
  unread: UnreadBytes;
}

/** Streams of `text/event-stream` over executions (docs/executions.md). */
export class ExecutionFollowers {
  readonly #followers: Followers<ExecutionRoom>;

  constructor({ heartbeatMs, unread, ...options }: FollowersOptions) {
    const open = (workspaceId: string, executionId: string) => new ExecutionRoom(options, workspaceId, executionId);
    this.#followers = new Followers(open, heartbeatMs, unread);
  }

  /**
   * Begins with a snapshot, unless the follower has `lastRevision` already. Undefined when the workspace has no such
   * execution. The stream ends after `execution.finished`; destroy it to stop, or abort `gone`, also before it is handed out.
   */
  follow(
    workspaceId: string,
    executionId: string,
    lastRevision?: number,
    gone?: AbortSignal,
  ): Promise<Readable | undefined> {
    return this.#followers.follow(workspaceId, executionId, (room, stream) => room.begin(stream, lastRevision), gone);
  }

  /** Streams that are followed now. */
  get count(): number {
    return this.#followers.count;
  }

  /** Ends every stream: clients come back elsewhere with Last-Event-ID. */
  stop(): void {
    this.#followers.stop();
  }
}
