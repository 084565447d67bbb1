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
  idle?: NodeJS.Timeout;
}

const IDLE_MS = 60_000;
/** A process serves no new calls after this time, so that what it has leaked is freed. */
const MAX_AGE_MS = 1_800_000;
const MAX_CALLS = 100;
const MAX_REPEATS = 2;

/** The fenced processes of a worker: one for each app that is in use, warm until it has been idle for a minute. */
export class RunnerPool {
  readonly #settings: RunnerSettings;
  readonly #egress = new Egress();
  readonly #places = new Map<string, Place>();

  constructor(settings: RunnerSettings) {
    this.#settings = settings;
  }

  async run(app: RunnerApp, call: RunnerCall): Promise<RunnerEnd> {
    for (let repeats = 0; ; ) {
      const end = await this.#runOnce(app, call);
      if (end === undefined) continue;
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
    await Promise.all(places.map((key) => this.#end(key)));
    this.#egress.close();
  }

  async #runOnce(app: RunnerApp, { member, parameters, signal }: RunnerCall): Promise<RunnerEnd | undefined> {
    const key = `${app.workspaceId} ${app.digest}`;
    const place = this.#placeOf(key, app);
    if (place === undefined || place.calls >= MAX_CALLS) return { kind: 'busy' };
    place.calls += 1;
    clearTimeout(place.idle);
    try {
      const process = await place.process;
      return await process.call(member, parameters, signal);
    } catch (error) {
      if (error instanceof NotLoaded) return { kind: 'notLoaded', message: error.message };
      throw error;
    } finally {
      place.calls -= 1;
      place.usedAt = Date.now();
      if (place.calls === 0) this.#rest(key, place);
    }
  }

  #placeOf(key: string, app: RunnerApp): Place | undefined {
    const present = this.#places.get(key);
    if (present && Date.now() - present.startedAt < MAX_AGE_MS) return present;
    // An old one ends with its last call.
    if (present) this.#forget(key, present);
    if (!this.#hasRoom(app.workspaceId)) return undefined;
    const now = Date.now();
    const place: Place = {
      ...{ workspaceId: app.workspaceId, process: this.#start(app), calls: 0, usedAt: now, startedAt: now },
    };
    this.#places.set(key, place);
    place.process.then(
      (process) => process.ended.then(() => this.#forget(key, place)),
      () => this.#forget(key, place),
    );
    return place;
  }

  async #start(app: RunnerApp): Promise<RunnerProcess> {
    const code = await app.read();
    const { dialOf, ...limits } = this.#settings;
    return RunnerProcess.start(
      { code, file: app.file },
      { egress: this.#egress, limits, dial: dialOf(app.workspaceId) },
    );
  }

  /** Ends an idle process if all places are taken. One workspace gets at most half of them. */
  #hasRoom(workspaceId: string): boolean {
    const { maxProcesses } = this.#settings;
    const all = [...this.#places];
    const own = all.filter(([, place]) => place.workspaceId === workspaceId);
    const full = own.length >= Math.ceil(maxProcesses / 2) ? own : all.length >= maxProcesses ? all : undefined;
    if (full === undefined) return true;
    const [oldest] = full.filter(([, { calls }]) => calls === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (oldest === undefined) return false;
    void this.#end(oldest[0]);
    return true;
  }

  #rest(key: string, place: Place): void {
    if (this.#places.get(key) !== place) {
      void kill(place);
      return;
    }
    place.idle = setTimeout(() => void this.#end(key), IDLE_MS);
    place.idle.unref();
  }

  #forget(key: string, place: Place): void {
    clearTimeout(place.idle);
    if (this.#places.get(key) === place) this.#places.delete(key);
    if (place.calls === 0) void kill(place);
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
  const process = await place.process.catch(() => undefined);
  process?.kill('stopped');
  await process?.ended;
}
