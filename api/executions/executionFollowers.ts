import type { Readable } from 'node:stream';
import type { UnreadBytes } from '../streams/eventStream.ts';
import { Followers } from '../streams/followers.ts';
import { ExecutionRoom, type ExecutionRoomOptions } from './executionRoom.ts';

export interface FollowersOptions extends ExecutionRoomOptions {
  heartbeatMs: number;
  unread: UnreadBytes;
}

export class ExecutionFollowers {
  readonly #followers: Followers<ExecutionRoom>;

  constructor({ heartbeatMs, unread, ...options }: FollowersOptions) {
    const open = (workspaceId: string, executionId: string) => new ExecutionRoom(options, workspaceId, executionId);
    this.#followers = new Followers(open, heartbeatMs, unread);
  }

  /** Starts with a snapshot, unless the follower has `lastRevision`. Ends after `execution.finished` or by `gone`. */
  follow(
    workspaceId: string,
    executionId: string,
    lastRevision?: number,
    gone?: AbortSignal,
  ): Promise<Readable | undefined> {
    return this.#followers.follow(workspaceId, executionId, (room, stream) => room.begin(stream, lastRevision), gone);
  }

  get count(): number {
    return this.#followers.count;
  }

  /** Clients reconnect elsewhere with Last-Event-ID. */
  stop(): void {
    this.#followers.stop();
  }
}
