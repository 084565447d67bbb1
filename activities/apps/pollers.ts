import type { Executor } from './executor.ts';
import { buildFilesChanged, type FilesSettings } from './files/changed.ts';
import { buildHttpPoll } from './http/poll.ts';
import { buildObjectsChanged, type ChangedSettings } from './objects/changed.ts';
import type { Poller } from './poller.ts';
import { buildNewItem } from './rss/newItem.ts';

export type PollerSettings = FilesSettings & ChangedSettings;

export type PollerTable = Record<string, Record<string, Poller>>;

/** One poller for each trigger of each manifest; the catalogue's test holds the two together. */
export function pollerTable(request: Executor, settings: PollerSettings): PollerTable {
  return {
    http: { poll: buildHttpPoll(request) },
    rss: { newItem: buildNewItem(request) },
    files: { changed: buildFilesChanged(settings) },
    objects: { changed: buildObjectsChanged(settings) },
  };
}

/** `request`: the executor of `http.request`. Throws for a trigger that no manifest names. */
export function buildPollers(
  request: Executor,
  settings: PollerSettings,
): (appId: string, triggerId: string) => Poller {
  const table = pollerTable(request, settings);
  return (appId, triggerId) => {
    const poller = table[appId]?.[triggerId];
    if (poller === undefined) throw new Error(`No poller for ${appId}.${triggerId}.`);
    return poller;
  };
}
