import type { Readable } from 'node:stream';
import type { UnreadBytes } from './eventStream.ts';
import { Followers } from './followers.ts';
import { WorkspaceFeed, type WorkspaceFeedOptions } from './workspaceFeed.ts';
import { type WorkspaceFollower, WorkspaceRoom } from './workspaceRoom.ts';

export interface WorkspaceFollowersOptions extends WorkspaceFeedOptions {
  heartbeatMs: number;
  unread: UnreadBytes;
}

/** Streams of `text/event-stream` over workspaces: `GET /api/stream`. */
export class WorkspaceFollowers {
  readonly #feed: WorkspaceFeed;
  readonly #followers: Followers<WorkspaceRoom>;

  constructor({ heartbeatMs, unread, ...options }: WorkspaceFollowersOptions) {
    const feed = new WorkspaceFeed(options);
    this.#feed = feed;
    this.#followers = new Followers((workspaceId) => new WorkspaceRoom(feed, workspaceId), heartbeatMs, unread);
  }

  /** Each event is sent by the permissions that `follower.caller` has then. It goes on until it is destroyed, or `gone` aborted. */
  async follow(follower: WorkspaceFollower, lastEventId?: string, gone?: AbortSignal): Promise<Readable> {
    const { workspaceId } = follower.caller;
    const begin = (room: WorkspaceRoom, stream: Parameters<WorkspaceRoom['begin']>[0]) =>
      room.begin(stream, follower, lastEventId);
    const stream = await this.#followers.follow(workspaceId, '', begin, gone);
    if (!stream) throw new Error('every workspace can be followed');
    return stream;
  }

  /** Ends every stream: clients come back elsewhere, and read again. */
  stop(): void {
    this.#followers.stop();
    this.#feed.stop();
  }
}
