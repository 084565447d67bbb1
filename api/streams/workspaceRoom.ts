import type { Caller } from '../access/caller.ts';
import { event, type FollowerStream, send } from './eventStream.ts';
import type { RecentEvents, WorkspaceEvent } from './recentEvents.ts';
import { seesQueues } from './workspaceEvent.ts';
import type { WorkspaceFeed } from './workspaceFeed.ts';

export interface WorkspaceFollower {
  caller: Caller;
  /** Makes it read everything again; set once it is followed. */
  resync?: () => void;
}

export class WorkspaceRoom {
  readonly #feed: WorkspaceFeed;
  readonly #recent: RecentEvents;
  readonly #ready: Promise<void>;
  readonly #leave: () => void;
  readonly #followers = new Map<FollowerStream, WorkspaceFollower>();
  readonly #begun = new Set<FollowerStream>();

  constructor(feed: WorkspaceFeed, workspaceId: string) {
    this.#feed = feed;
    const { recent, ready, leave } = feed.join(workspaceId, {
      tell: (events) => this.#tell(events),
      followsQueues: () => [...this.#followers.values()].some(({ caller }) => seesQueues(caller)),
    });
    this.#recent = recent;
    this.#ready = ready;
    this.#leave = leave;
  }

  get streams(): FollowerStream[] {
    return [...this.#followers.keys()];
  }

  /** Starts with the missed events, or with `resync` if they are unknown, or else with a heartbeat. */
  async begin(stream: FollowerStream, follower: WorkspaceFollower, lastEventId: string | undefined): Promise<boolean> {
    this.#followers.set(stream, follower);
    await this.#ready;
    const missed = lastEventId === undefined ? [] : this.#recent.after(lastEventId);
    send(stream, missed ? `${seen(missed, follower)}${this.#now('heartbeat')}` : this.#now('resync'));
    this.#begun.add(stream);
    follower.resync = () => send(stream, this.#now('resync'));
    return true;
  }

  left(stream: FollowerStream): boolean {
    this.#followers.delete(stream);
    this.#begun.delete(stream);
    if (this.#followers.size > 0) return false;
    this.#leave();
    return true;
  }

  /** While changes of other processes may be lost, heartbeats are `resync`. */
  keepAlive(): void {
    const text = this.#now(this.#feed.hears ? 'heartbeat' : 'resync');
    for (const stream of this.#begun) send(stream, text);
  }

  #tell(events: readonly WorkspaceEvent[]): void {
    for (const stream of this.#begun) {
      const follower = this.#followers.get(stream);
      const text = follower ? seen(events, follower) : '';
      if (text !== '') send(stream, text);
    }
  }

  #now(name: 'heartbeat' | 'resync'): string {
    return event(name, {}, this.#recent.place);
  }
}

function seen(events: readonly WorkspaceEvent[], { caller }: WorkspaceFollower): string {
  return events.flatMap(({ text, maySee }) => (maySee(caller) ? [text] : [])).join('');
}
