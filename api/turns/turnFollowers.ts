import type { Readable } from 'node:stream';
import type { UnreadBytes } from '../streams/eventStream.ts';
import { Followers } from '../streams/followers.ts';
import { type Beginning, TurnRoom, type TurnRoomOptions } from './turnRoom.ts';

export interface TurnFollowersOptions extends TurnRoomOptions {
  keepAliveMs: number;
  unread: UnreadBytes;
}

export class TurnFollowers {
  readonly #followers: Followers<TurnRoom>;

  constructor({ keepAliveMs, unread, ...options }: TurnFollowersOptions) {
    const open = (workspaceId: string, runId: string) => new TurnRoom(options, workspaceId, runId);
    this.#followers = new Followers(open, keepAliveMs, unread);
  }

  /** Undefined for an unknown turn. The stream ends with the turn; abort `gone` to stop. */
  follow(workspaceId: string, runId: string, from: Beginning, gone?: AbortSignal): Promise<Readable | undefined> {
    return this.#followers.follow(workspaceId, runId, (room, stream) => room.begin(stream, from), gone);
  }

  stop(): void {
    this.#followers.stop();
  }
}
