import { Egress } from './egress.ts';
import type { GuestMember } from './fence/messages.ts';
import { type CallEnd, type Dial, NotLoaded, type RunnerLimits, RunnerProcess } from './runnerProcess.ts';

export interface RunnerSettings extends RunnerLimits {
  maxProcesses: number;
  /** The rules by which connections of a workspace's code are opened. */
  dialOf: (workspaceId: string) => Dial;
}

/** The code of one app of one workspace. Apps share no process, and neither do versions of an app. */
export interface RunnerApp {
  workspaceId: string;
  digest: string;
  /** Shown in places of errors. */
  file: string;
  read(): Promise<string>;
}

export interface RunnerCall {
  member: GuestMember;
  parameters: unknown[];
  signal: AbortSignal;
  /** The call may run again if its process had to be killed for the sake of another call. */
  isRepeatable: boolean;
}

/** `busy`: all processes are in use. */
export type RunnerEnd = CallEnd | { kind: 'busy' } | { kind: 'notLoaded'; message: string };

interface Place {
  workspaceId: string;
  process: Promise<RunnerProcess>;
  calls: number;
  usedAt: number;
  startedAt: number;
  hasStarted: boolean;
  /** Ends the process, also while it starts. */
  stop: AbortController;
  idle?: NodeJS.Timeout;
}

const IDLE_MS = 60_000;
/** A process serves no new calls after this time, so that what it has leaked is freed. */
const MAX_AGE_MS = 1_800_000;
const MAX_CALLS = 100;
const MAX_REPEATS = 2;
/** Processes that end between their start and the call. */
const MAX_FALSE_STARTS = 5;

/** The fenced processes of a worker: one for each app that is in use, warm until it has been idle for a minute. */
export class RunnerPool {
  readonly #settings: RunnerSettings;
  readonly #egress = new Egress();
  readonly #places = new Map<string, Place>();
  /** Old processes that end with their last call. */
  readonly #retired = new Set<Place>();

  constructor(settings: RunnerSettings) {
    this.#settings = settings;
  }

  async run(app: RunnerApp, call: RunnerCall): Promise<RunnerEnd> {
    let falseStarts = 0;
    for (let repeats = 0; ; ) {
      const end = await this.#runOnce(app, call);
      if (end === undefined) {
        falseStarts += 1;
        if (falseStarts > MAX_FALSE_STARTS) return { kind: 'busy' };
        continue;
      }
      repeats += 1;
      const isKilledForOther = end.kind === 'lost' && end.reason === 'stopped' && !call.signal.aborted;
      if (!isKilledForOther || !call.isRepeatable || repeats > MAX_REPEATS) return end;
    }
  }

  /** The ids of the running processes. */
  async pids(): Promise<number[]> {
    const made = await Promise.allSettled([...this.#places.values()].map(({ process }) => process));
    return made.flatMap((each) => (each.status === 'fulfilled' ? (each.value.pid ?? []) : []));
  }

  async close(): Promise<void> {
    const places = [...this.#places.keys()];
    await Promise.all([...places.map((key) => this.#end(key)), ...[...this.#retired].map(kill)]);
    this.#egress.close();
  }

  async #runOnce(app: RunnerApp, { member, parameters, signal }: RunnerCall): Promise<RunnerEnd | undefined> {
    const key = `${app.workspaceId} ${app.digest}`;
    const place = this.#placeOf(key, app);
    if (place === undefined || place.calls >= MAX_CALLS) return { kind: 'busy' };
    place.calls += 1;
    clearTimeout(place.idle);
    try {
      const process = await unlessAborted(place.process, signal);
      if (process === undefined) return { kind: 'lost', reason: 'stopped', console: [] };
      return await process.call(member, parameters, signal);
    } catch (error) {
      if (error instanceof NotLoaded) return { kind: 'notLoaded', message: error.message };
      throw error;
    } finally {
      place.calls -= 1;
      place.usedAt = Date.now();
      if (place.calls === 0) this.#rest(key, place, signal.aborted);
    }
  }

  #placeOf(key: string, app: RunnerApp): Place | undefined {
    const present = this.#places.get(key);
    if (present && Date.now() - present.startedAt < MAX_AGE_MS) return present;
    if (present) this.#retire(key, present);
    if (!this.#hasRoom(app.workspaceId)) return undefined;
    const now = Date.now();
    const stop = new AbortController();
    const place: Place = {
      ...{ workspaceId: app.workspaceId, process: this.#start(app, stop.signal), stop },
      ...{ calls: 0, usedAt: now, startedAt: now, hasStarted: false },
    };
    this.#places.set(key, place);
    place.process.then(
      (process) => {
        place.hasStarted = true;
        return process.ended.then(() => this.#forget(key, place));
      },
      () => this.#forget(key, place),
    );
    return place;
  }

  async #start(app: RunnerApp, signal: AbortSignal): Promise<RunnerProcess> {
    const code = await app.read();
    const { dialOf, ...limits } = this.#settings;
    return RunnerProcess.start(
      { code, file: app.file },
      { egress: this.#egress, limits, dial: dialOf(app.workspaceId), signal },
    );
  }

  /** Ends an idle process if all places are taken. One workspace gets at most half of them. */
  #hasRoom(workspaceId: string): boolean {
    const { maxProcesses } = this.#settings;
    const all = [...this.#places];
    const retired = [...this.#retired];
    const own = all.filter(([, place]) => place.workspaceId === workspaceId);
    const ownCount = own.length + retired.filter((place) => place.workspaceId === workspaceId).length;
    const isFull = all.length + retired.length >= maxProcesses;
    const full = ownCount >= Math.ceil(maxProcesses / 2) ? own : isFull ? all : undefined;
    if (full === undefined) return true;
    const [oldest] = full.filter(([, { calls }]) => calls === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (oldest === undefined) return false;
    void this.#end(oldest[0]);
    return true;
  }

  #rest(key: string, place: Place, isStopped: boolean): void {
    if (this.#places.get(key) !== place) {
      void kill(place).then(() => this.#retired.delete(place));
      return;
    }
    // Its code may never be loaded.
    if (isStopped && !place.hasStarted) {
      void this.#end(key);
      return;
    }
    place.idle = setTimeout(() => void this.#end(key), IDLE_MS);
    place.idle.unref();
  }

  #forget(key: string, place: Place): void {
    clearTimeout(place.idle);
    if (this.#places.get(key) === place) this.#places.delete(key);
    this.#retired.delete(place);
  }

  #retire(key: string, place: Place): void {
    clearTimeout(place.idle);
    this.#places.delete(key);
    this.#retired.add(place);
    if (place.calls === 0) this.#rest(key, place, false);
  }

  async #end(key: string): Promise<void> {
    const place = this.#places.get(key);
    if (place === undefined) return;
    this.#places.delete(key);
    clearTimeout(place.idle);
    await kill(place);
  }
}

async function kill(place: Place): Promise<void> {
  place.stop.abort();
  const process = await place.process.catch(() => undefined);
  await process?.ended;
}

/** Undefined if the signal is aborted first. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let stop: () => void = () => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
