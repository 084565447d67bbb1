import { useSyncExternalStore } from 'react';
import type { Zone } from '../data/zonedTime.ts';
import { newReaders } from './readers.ts';

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
