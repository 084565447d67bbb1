import { useSyncExternalStore } from 'react';
import { browserTexts, onOtherTab, STORED } from '../../app/storage/browserStorage.ts';
import { newReaders } from '../load/readers.ts';
import type { Zone } from './times.ts';

const KEY = STORED.timeZone.key;
const { subscribe, say } = newReaders();

onOtherTab(({ key }) => (key === KEY || key === null) && say());

const chosenZone = (): Zone => (browserTexts().getItem(KEY) === 'UTC' ? 'UTC' : 'local');

export const useZone = (): Zone => useSyncExternalStore(subscribe, chosenZone);

export function chooseZone(zone: Zone): void {
  if (zone === 'UTC') browserTexts().setItem(KEY, zone);
  else browserTexts().removeItem(KEY);
  say();
}
