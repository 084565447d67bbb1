import type { Readable } from 'node:stream';
import type { UnreadBytes } from './eventStream.ts';
import { Followers } from './followers.ts';
import { WorkspaceFeed, type WorkspaceFeedOptions } from './workspaceFeed.ts';
import { type WorkspaceFollower, WorkspaceRoom } from './workspaceRoom.ts';

export interface WorkspaceFollowersOptions extends WorkspaceFeedOptions {
  heartbeatMs: number;
  unread: UnreadBytes;
}

export class WorkspaceFollowers {
  readonly #feed: WorkspaceFeed;
  readonly #followers: Followers<WorkspaceRoom>;

  constructor({ heartbeatMs, unread, ...options }: WorkspaceFollowersOptions) {
    const feed = new WorkspaceFeed(options);
    this.#feed = feed;
    this.#followers = new Followers((workspaceId) => new WorkspaceRoom(feed, workspaceId), heartbeatMs, unread);
  }

  /** Sends each event by the current permissions of `follower.caller`, until destroyed or `gone` is aborted. */
  async follow(follower: WorkspaceFollower, lastEventId?: string, gone?: AbortSignal): Promise<Readable> {
    const { workspaceId } = follower.caller;
    const begin = (room: WorkspaceRoom, stream: Parameters<WorkspaceRoom['begin']>[0]) =>
      room.begin(stream, follower, lastEventId);
    const stream = await this.#followers.follow(workspaceId, '', begin, gone);
    if (!stream) throw new Error('every workspace can be followed');
    return stream;
  }

  stop(): void {
    this.#followers.stop();
    this.#feed.stop();
  }
}
