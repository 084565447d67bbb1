import { useSyncExternalStore } from 'react';
import { newReaders } from '../load/readers.ts';
import type { Zone } from './zonedTime.ts';

const KEY = 'perdure.zone';
const { subscribe, say } = newReaders();

// Of another tab.
addEventListener('storage', ({ key }) => (key === KEY || key === null) && say());

const chosenZone = (): Zone => (localStorage.getItem(KEY) === 'UTC' ? 'UTC' : 'local');

/** The zone in which times are shown in this browser. */
export const useZone = (): Zone => useSyncExternalStore(subscribe, chosenZone);

export function chooseZone(zone: Zone): void {
  if (zone === 'UTC') localStorage.setItem(KEY, zone);
  else localStorage.removeItem(KEY);
  say();
}
