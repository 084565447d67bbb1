import { useSyncExternalStore } from 'react';
import { newReaders } from './readers.ts';

const EVERY_MS = 2_000;

/** Whether the workspace's stream is connected; undefined before the first try. */
let live: boolean | undefined;
const readers = newReaders();

export function setLive(stands: boolean, refusal?: unknown): void {
  live = refusal === undefined ? stands : undefined;
  readers.say();
}

export function useLive(): boolean | undefined {
  return useSyncExternalStore(readers.subscribe, () => live);
}

export const isAway = () => live === false;

let waiting: Promise<void> | undefined;

/** Resolves when the API, which also serves the console, answers again. */
export function untilThere(): Promise<void> {
  waiting ??= look().finally(() => {
    waiting = undefined;
  });
  return waiting;
}

export const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

async function look(): Promise<void> {
  while (!(await isThere())) await pause(EVERY_MS);
}

const isThere = () =>
  fetch('/console/', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
