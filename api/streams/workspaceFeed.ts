import type { Logger } from 'pino';
import { FEED_STATUS } from '../../domain/agent/runStatus.ts';
import type { ExecutionStatus } from '../../domain/execution/status.ts';
import type { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import type { DatabaseListener } from '../../engine/feeds/databaseListener.ts';
import { FollowedWorkspaces } from '../../engine/feeds/followedWorkspaces.ts';
import type { QueueFeed } from '../../engine/queues/queueFeed.ts';
import type { Database } from '../../prisma/client.ts';
import { type Changes, readChanges } from '../../prisma/store/stream/readChanges.ts';
import { RecentEvents, type WorkspaceEvent } from './recentEvents.ts';
import { RecentTexts } from './recentTexts.ts';
import { executionNews, objectNews, questionNews, queueNews, taskNews, type WorkspaceNews } from './workspaceEvent.ts';

export interface WorkspaceFeedOptions {
  database: Database;
  feed: ChangeFeed;
  queueFeed: QueueFeed;
  listener: Pick<DatabaseListener, 'hears' | 'afterGaps'>;
  /** No other process writes, so all changes are our own. */
  isAlone?: boolean;
  /** How long changes are collected, milliseconds. */
  gatherMs: number;
  pauseMs: number;
  /** Maximum time between two checks of followed queues and entities, milliseconds. */
  queueLookMs: number;
  /** Maximum changes of one read, of all workspaces together. */
  maxGathered: number;
  /** Events kept per workspace for followers who reconnect, and for how long after the last one has left. */
  maxKept: number;
  keptMs: number;
  log: Logger;
}

export interface Subscriber {
  tell(events: readonly WorkspaceEvent[]): void;
  followsQueues(): boolean;
}

interface Place {
  recent: RecentEvents;
  subscriber: Subscriber | undefined;
  forget: NodeJS.Timeout | undefined;
}

const AGAIN_MS = 1_000;
/** A question's row may precede the announced change of its execution, so reads look back this far. */
const LOOK_BACK_MS = 120_000;
const REMEMBERED_MS = 2 * LOOK_BACK_MS;
const MAX_REMEMBERED = 50_000;

/**
 * Events of all followed workspaces in this process. Changed ids are collected and read in one statement for all
 * workspaces and followers. After a lost notification every follower gets `resync`.
 */
export class WorkspaceFeed {
  readonly #options: WorkspaceFeedOptions;
  readonly #places = new Map<string, Place>();
  #stop: (() => void) | undefined;
  #ready: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #reading = false;
  #lastReadAt = 0;
  #ids = new Set<string>();
  #queues = new Map<string, Set<string>>();
  #leftOut = false;
  /** Snapshots of reads, oldest first: one older than LOOK_BACK_MS, and the later ones. */
  #snapshots: { at: number; snapshot: string }[] = [];
  #sent = new RecentTexts(REMEMBERED_MS, MAX_REMEMBERED);
  /** Last read statuses, because running turns announce each chunk of their answer. */
  #turns = new RecentTexts<ExecutionStatus>(REMEMBERED_MS, MAX_REMEMBERED);

  readonly #followed: FollowedWorkspaces | undefined;

  constructor(options: WorkspaceFeedOptions) {
    this.#options = options;
    const { database, log } = options;
    if (!options.isAlone) this.#followed = new FollowedWorkspaces({ database, log, missed: () => this.#leaveOut() });
  }

  /** False while notifications of other processes may be lost. */
  get hears(): boolean {
    return this.#options.listener.hears;
  }

  /** Returns recent events; `subscriber` gets later ones once `ready`. Call `leave` after the last follower. */
  join(workspaceId: string, subscriber: Subscriber): { recent: RecentEvents; ready: Promise<void>; leave: () => void } {
    const place = this.#places.get(workspaceId) ?? {
      recent: new RecentEvents(this.#options.maxKept),
      subscriber: undefined,
      forget: undefined,
    };
    clearTimeout(place.forget);
    place.forget = undefined;
    place.subscriber = subscriber;
    this.#places.set(workspaceId, place);
    if (!this.#stop) this.#begin();
    const leave = () => {
      if (place.subscriber !== subscriber) return;
      place.subscriber = undefined;
      place.forget = setTimeout(() => this.#forget(workspaceId, place), this.#options.keptMs);
      place.forget.unref();
    };
    const ready = Promise.all([this.#ready, this.#followed?.add(workspaceId)]).then(() => undefined);
    return { recent: place.recent, ready, leave };
  }

  stop(): void {
    for (const [workspaceId, place] of this.#places) {
      clearTimeout(place.forget);
      this.#forget(workspaceId, place);
    }
  }

  #forget(workspaceId: string, place: Place): void {
    if (this.#places.get(workspaceId) !== place) return;
    this.#places.delete(workspaceId);
    this.#followed?.remove(workspaceId);
    if (this.#places.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  /** Listens before it reads its start, so that events in between are sent. */
  #begin(): void {
    const { feed, queueFeed, listener } = this.#options;
    const stops = [
      feed.subscribeToAll(({ executionId, status }) => this.#changed(executionId, status)),
      queueFeed.subscribe(({ workspaceId, queueId }) => this.#queueChanged(workspaceId, queueId)),
      // Followed queues are announced again first; then nothing more is lost.
      listener.afterGaps(() => (this.#followed ? this.#followed.again() : this.#leaveOut())),
    ];
    this.#snapshots = [];
    this.#sent = new RecentTexts(REMEMBERED_MS, MAX_REMEMBERED);
    this.#turns = new RecentTexts(REMEMBERED_MS, MAX_REMEMBERED);
    let isOver = false;
    this.#stop = () => {
      isOver = true;
      for (const stop of stops) stop();
      clearTimeout(this.#timer);
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.#clear();
    };
    this.#ready = this.#read([], []).then(() => {
      if (!isOver) this.#readWithin(this.#options.queueLookMs);
    });
    this.#ready.catch(() => {
      if (isOver) return;
      // Its followers are refused, and the next one tries again.
      this.#stop?.();
      this.#stop = undefined;
      for (const id of this.#places.keys()) this.#followed?.remove(id);
      this.#places.clear();
    });
  }

  #changed(id: string, status: ExecutionStatus): void {
    if (this.#turns.get(id) === status) this.#turns.set(id, status);
    else this.#gather(() => this.#ids.add(id));
  }

  #queueChanged(workspaceId: string, queueId: string): void {
    if (!this.#places.has(workspaceId)) return;
    const queues = this.#queues.get(workspaceId) ?? new Set();
    this.#gather(() => this.#queues.set(workspaceId, queues.add(queueId)));
  }

  #gather(add: () => void): void {
    if (!this.#leftOut) add();
    const size = this.#ids.size + [...this.#queues.values()].reduce((sum, { size }) => sum + size, 0);
    if (size > this.#options.maxGathered) {
      this.#clear();
      this.#leftOut = true;
    }
    const sinceRead = Date.now() - this.#lastReadAt;
    this.#readWithin(Math.max(this.#options.gatherMs, this.#options.pauseMs - sinceRead));
  }

  #clear(): void {
    this.#ids = new Set();
    this.#queues = new Map();
    this.#leftOut = false;
  }

  #readWithin(ms: number): void {
    const at = Date.now() + ms;
    if (this.#reading || at >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = at;
    this.#timer = setTimeout(() => void this.#turn(), ms);
    this.#timer.unref();
  }

  async #turn(): Promise<void> {
    this.#dueAt = Number.POSITIVE_INFINITY;
    const [ids, queues, leftOut] = [this.#ids, this.#queues, this.#leftOut];
    this.#clear();
    const stop = this.#stop;
    let nextMs = this.#options.queueLookMs;
    this.#reading = true;
    try {
      const changes = await this.#read([...ids], this.#followedQueues());
      if (this.#stop !== stop) return;
      if (leftOut || changes.objects.length > this.#options.maxGathered) this.#leaveOut();
      else this.#tell(changes, queues);
    } catch (error) {
      this.#options.log.warn(
        { err: error },
        'the changes of followed workspaces could not be read; the read is repeated',
      );
      nextMs = AGAIN_MS;
      this.#putBack(ids, queues, leftOut);
    } finally {
      this.#reading = false;
    }
    if (this.#stop !== stop || !stop) return;
    if (this.#ids.size > 0 || this.#queues.size > 0 || this.#leftOut) {
      nextMs = Math.max(this.#options.gatherMs, this.#options.pauseMs, nextMs === AGAIN_MS ? AGAIN_MS : 0);
    }
    this.#readWithin(nextMs);
  }

  #putBack(ids: ReadonlySet<string>, queues: ReadonlyMap<string, ReadonlySet<string>>, leftOut: boolean): void {
    this.#leftOut ||= leftOut;
    for (const id of ids) this.#gather(() => this.#ids.add(id));
    for (const [workspaceId, of] of queues) for (const queueId of of) this.#queueChanged(workspaceId, queueId);
  }

  #followedQueues(): string[] {
    return [...this.#places].flatMap(([id, { subscriber }]) => (subscriber?.followsQueues() ? [id] : []));
  }

  async #read(ids: string[], queuesOf: string[]): Promise<Changes> {
    this.#lastReadAt = Date.now();
    const changes = await readChanges(this.#options.database, {
      ids,
      queuesOf,
      mostObjects: this.#options.maxGathered,
      workspaceIds: [...this.#places.keys()],
      questionsSince: this.#snapshots[0]?.snapshot,
      lookedAt: this.#snapshots.at(-1)?.snapshot,
    });
    const now = Date.now();
    this.#snapshots.push({ at: now, snapshot: changes.snapshot });
    while (this.#snapshots[1] && now - this.#snapshots[1].at > LOOK_BACK_MS) this.#snapshots.shift();
    return changes;
  }

  #tell(changes: Changes, gathered: ReadonlyMap<string, ReadonlySet<string>>): void {
    for (const { runId, status } of changes.tasks) this.#turns.set(runId, FEED_STATUS[status]);
    for (const [workspaceId, place] of this.#places) {
      const of = <T extends { workspaceId: string }>(rows: readonly T[]) =>
        rows.filter((row) => row.workspaceId === workspaceId);
      const queues = new Set([...(gathered.get(workspaceId) ?? []), ...of(changes.queues).map(({ id }) => id)]);
      const news = [
        ...of(changes.executions).flatMap((each) => (each.isInternal ? [] : [executionNews(each)])),
        ...of(changes.questions).map(questionNews),
        ...of(changes.tasks).map(taskNews),
        ...[...queues].map(queueNews),
        ...of(changes.objects).map(objectNews),
      ].filter((each) => this.#isNew(each));
      if (news.length > 0) place.subscriber?.tell(place.recent.add(news));
    }
  }

  #isNew({ once }: WorkspaceNews): boolean {
    if (once === undefined) return true;
    const isKnown = this.#sent.get(once) === true;
    this.#sent.set(once, true);
    return !isKnown;
  }

  #leaveOut(): void {
    for (const { recent, subscriber } of this.#places.values()) {
      const events = recent.leaveOut();
      subscriber?.tell(events);
    }
  }
}
