import type { Executor } from './executor.ts';
import { buildFilesChanged, type FilesSettings } from './files/changed.ts';
import type { GuardSettings } from './guard/addressGuard.ts';
import { buildHttpPoll } from './http/poll.ts';
import { buildNewMail } from './imap/newMail.ts';
import { buildObjectsChanged, type ChangedSettings } from './objects/changed.ts';
import type { Poller } from './poller.ts';
import { buildNewItem } from './rss/newItem.ts';

export type PollerSettings = FilesSettings & ChangedSettings & GuardSettings;

export type Requests = Record<'http' | 'rss', Executor>;

export type PollerTable = Record<string, Record<string, Poller>>;

export function pollerTable({ http, rss }: Requests, settings: PollerSettings): PollerTable {
  return {
    http: { poll: buildHttpPoll(http) },
    rss: { newItem: buildNewItem(rss) },
    files: { changed: buildFilesChanged(settings) },
    imap: { newMail: buildNewMail(settings) },
    objects: { changed: buildObjectsChanged(settings) },
  };
}

export function buildPollers(
  requests: Requests,
  settings: PollerSettings,
): (appId: string, triggerId: string) => Poller {
  const table = pollerTable(requests, settings);
  return (appId, triggerId) => {
    const poller = table[appId]?.[triggerId];
    if (poller === undefined) throw new Error(`No poller for ${appId}.${triggerId}.`);
    return poller;
  };
}
