import { clear, createStore, delMany, entries, get, set } from 'idb-keyval';
import { newIdempotencyKey } from 'perdure-client';

const DAY_MS = 86_400_000;

/** How long unsent and unsaved work stays in a browser. */
export const KEPT_MS = 30 * DAY_MS;

interface Stored {
  /** The key, or the prefix of the keys if there may be several. */
  key: string;
  /**
   * `browser`: localStorage, shared by all tabs. `tab`: sessionStorage. `files`: the IndexedDB database of this name.
   */
  place: 'browser' | 'tab' | 'files';
  /** `person`: keys or values contain the person's id, so other users of the browser don't see it. */
  scope: 'browser' | 'person';
  atLogout: 'keep' | 'forget';
  /** Readers ignore older entries and remove them. */
  maxAgeMs?: number;
}

/**
 * Everything that the console stores in a browser, except the tokens (perdure-client) and the color scheme (Mantine).
 */
export const STORED = {
  timeZone: { key: 'perdure.zone', place: 'browser', scope: 'browser', atLogout: 'keep' },
  /** Which panels of the workflow editor are open, and their widths. */
  panels: { key: 'perdure.panels', place: 'browser', scope: 'browser', atLogout: 'keep' },
  letterKeys: { key: 'perdure.letters', place: 'browser', scope: 'browser', atLogout: 'keep' },
  /** The time of the last logout. Other tabs use the change to distinguish a logout from an expired session. */
  logout: { key: 'loggedOut', place: 'browser', scope: 'browser', atLogout: 'keep' },
  /** The page to open after a login through a mailed link, which opens a new tab; for one e-mail address. */
  linkPage: { key: 'perdure.linkWayOn', place: 'browser', scope: 'person', atLogout: 'keep', maxAgeMs: DAY_MS },
  /** The page to open after single sign-on: the provider redirects to one fixed address. */
  loginPage: { key: 'perdure.wayOn', place: 'tab', scope: 'browser', atLogout: 'keep' },
  /** This tab has just followed another tab's login. */
  followed: { key: 'perdure.followed', place: 'tab', scope: 'browser', atLogout: 'keep' },
  tabName: { key: 'tab', place: 'tab', scope: 'browser', atLogout: 'keep' },
  /** Unsent answers to questions and messages to agents; also unsent messages of each tab (`…/left:<tab>`). */
  drafts: { key: 'draft:', place: 'browser', scope: 'person', atLogout: 'keep', maxAgeMs: KEPT_MS },
  workflowDrafts: { key: 'perdure.draft.', place: 'browser', scope: 'person', atLogout: 'keep', maxAgeMs: KEPT_MS },
  samples: { key: 'perdure.samples.', place: 'browser', scope: 'person', atLogout: 'keep', maxAgeMs: KEPT_MS },
  views: { key: 'views:', place: 'browser', scope: 'person', atLogout: 'keep' },
  questions: { key: 'questions:', place: 'browser', scope: 'person', atLogout: 'keep' },
  /** Queue items that the person has claimed; the lease decides when they are lost. */
  leases: { key: 'held:', place: 'browser', scope: 'person', atLogout: 'keep' },
  notices: { key: 'notices', place: 'browser', scope: 'person', atLogout: 'forget' },
  noticeTurns: { key: 'notices:turns', place: 'browser', scope: 'person', atLogout: 'forget' },
  /** Messages to agents on their way. In one tab only: a second one would send them too. */
  outbox: { key: 'outbox ', place: 'tab', scope: 'browser', atLogout: 'forget' },
  /** Files of unsent messages: localStorage has no room for them. */
  files: { key: 'perdure files', place: 'files', scope: 'browser', atLogout: 'forget', maxAgeMs: KEPT_MS },
} as const satisfies Record<string, Stored>;

/** The part of `Storage` that the console uses. `setItem` throws a DOMException if the storage is full. */
export type Texts = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** A function, since unit tests have no storage. */
export const browserTexts = (): Texts => localStorage;
export const tabTexts = (): Texts => sessionStorage;

/** The keys with a prefix, as a copy: callers may remove entries while they iterate. */
export const keysWith = (texts: Pick<Texts, 'key' | 'length'>, prefix: string): string[] =>
  Array.from({ length: texts.length }, (_, at) => texts.key(at) ?? '').filter((key) => key.startsWith(prefix));

/** Writes a text unless the storage is full: losing a draft is no reason to stop the work. */
export function writeIfRoom(texts: Texts, key: string, text: string): void {
  try {
    texts.setItem(key, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** The key is null if all entries are removed. The returned function stops listening. */
export function onOtherTab(changed: (event: { key: string | null; newValue: string | null }) => void): () => void {
  addEventListener('storage', changed);
  return () => removeEventListener('storage', changed);
}

/** The name of this tab; it survives a reload. */
export function tabName(): string {
  const { key } = STORED.tabName;
  const name = tabTexts().getItem(key) ?? newIdempotencyKey();
  tabTexts().setItem(key, name);
  return name;
}

const FILES = createStore(STORED.files.key, 'files');

/** The files by key. Each is undefined if the browser stores nothing, because its storage is full or off. */
export const storedFiles = {
  all: <Value>() => ifStored(entries<string, Value>(FILES)),
  get: <Value>(key: string) => ifStored(get<Value>(key, FILES)),
  set: (key: string, value: unknown) => ifStored(set(key, value, FILES).then(() => true)),
  remove: (keys: string[]) => ifStored(delMany(keys, FILES).then(() => true)),
  clear: () => ifStored(clear(FILES)),
};

async function ifStored<Result>(act: Promise<Result>): Promise<Result | undefined> {
  try {
    return await act;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

const memories = new Set<() => void>();

/** For modules that have a person's data in memory: `forget` runs when the person logs out or the session ends. */
export function whenPersonLeaves(forget: () => void): void {
  memories.add(forget);
}

/** Removes what the next person at this browser must not find, then what modules have in memory. */
export function forgetPerson(): void {
  for (const { key, place, atLogout } of Object.values<Stored>(STORED)) {
    if (atLogout === 'keep') continue;
    if (place === 'files') void storedFiles.clear();
    else {
      const texts = place === 'tab' ? tabTexts() : browserTexts();
      for (const each of keysWith(texts, key)) texts.removeItem(each);
    }
  }
  // The other tabs remove their own.
  const ownUnsent = `/left:${tabName()}`;
  for (const key of keysWith(browserTexts(), STORED.drafts.key)) {
    if (key.endsWith(ownUnsent)) browserTexts().removeItem(key);
  }
  for (const forget of memories) forget();
}
