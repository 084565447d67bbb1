import { browserTokens, createClient, type TokenStore } from 'perdure-client';
import { loaded } from '../../ui/load/lazyPart.ts';
import { newReaders } from '../../ui/load/readers.ts';
import { sendOnce } from '../delivery/sendOnce.ts';
import { browserTexts, forgetPerson, onOtherTab, STORED, tabTexts } from '../storage/browserStorage.ts';

// The session of a page, which shares its tokens with the other tabs of the browser:
//
//   open ----- another tab logs in ------> checking --- same person and workspace --> open
//     |                                      |   \----- another one ----------------> page cleared, start page
//     |                                      | that login has expired, too
//     +------- the session has expired ------+--> ended --- login dialog, or another tab --> checking
//     +------- logout, here or in another tab ------------------------------------> page cleared, login
//
// While checking and ended, requests wait in `tokens.get`; they continue when it is open again.

export interface PageOwner {
  id: string;
  workspaceId: string;
  /** Undefined for an API key. */
  email: string | undefined;
}

/** The part of the session that the console provides (main.tsx). */
interface SessionPage {
  /** Undefined until it is known, and on login pages. */
  owner: () => PageOwner | undefined;
  /** Removes the person's data from the page and opens the login; `isEnded`: because the session has expired. */
  leave: (isEnded: boolean) => Promise<void>;
  resume: () => void;
}

interface Pause {
  owner: PageOwner;
  /** The person must log in; otherwise the login of another tab is being checked. */
  isEnded: boolean;
  over: Promise<void>;
  release: () => void;
}

const store = browserTokens();
let page: SessionPage = { owner: () => undefined, leave: async () => undefined, resume: () => undefined };
/** Undefined while the session is open. */
let pause: Pause | undefined;
/** The refresh token of this page's login. Any other one is checked before it is used. */
let known = store.get()?.refreshToken;
const { subscribe, say } = newReaders();

export function servePage(served: SessionPage): void {
  page = served;
}

/** For `useSyncExternalStore`: the owner of the page if their session has ended. */
export const ENDED = {
  subscribe,
  get: () => (pause?.isEnded === true ? pause.owner : undefined),
};

const tokens: TokenStore = {
  async get() {
    for (;;) {
      if (pause === undefined && !isChanged()) return store.get();
      hold();
      await pause?.over;
    }
  },
  set(next) {
    // Ignore an answer about an older login: another tab may have replaced it meanwhile.
    const { refreshToken } = store.get() ?? {};
    if (refreshToken === (next === undefined ? known : next.refreshToken)) store.set(next);
  },
};

export const client = createClient({
  url: location.origin,
  tokens,
  fetch: sendOnce,
  onLoggedOut: () => {
    if (page.owner() === undefined) void leave(true);
    else hold();
  },
});

/** Whether the stored login is not the one of this page. A page without an owner takes over whatever is stored. */
function isChanged(): boolean {
  const { refreshToken } = store.get() ?? {};
  if (refreshToken === known) return false;
  if (page.owner() !== undefined) return true;
  // Data that the login before has read may belong to another person or workspace.
  if (known !== undefined) page.resume();
  known = refreshToken;
  return false;
}

/** Holds all requests of the page, then checks the stored login or asks for one. */
function hold(): void {
  const owner = page.owner();
  if (pause === undefined) {
    if (owner === undefined) return;
    let release: () => void = () => undefined;
    const over = new Promise<void>((done) => {
      release = done;
    });
    pause = { owner, isEnded: false, over, release };
  }
  if (store.get() !== undefined) void recognise();
  else if (!pause.isEnded) {
    pause.isEnded = true;
    say();
  }
}

let recognising: Promise<void> | undefined;
/** The login that is checked was made on this page, not in another tab. */
let isLoginOfPage = false;

/** Checks whose login is stored: resumes the page for its own person and workspace, clears it for others. */
function recognise(): Promise<void> {
  recognising ??= loaded(() => import('./loginSource.ts'))
    .then(({ whoseLogin }) => whoseLogin(store, pause?.isEnded === true ? pause.owner : undefined))
    .then(async (found) => {
      if (pause === undefined) return;
      if (found === undefined) {
        pause.isEnded = true;
        return say();
      }
      known = found.refreshToken;
      if (found.id === pause.owner.id && found.workspaceId === pause.owner.workspaceId) return resume();
      if (!isLoginOfPage) noteFollowed();
      await leave(false);
      location.replace('/console/');
    })
    .finally(() => {
      recognising = undefined;
    });
  return recognising;
}

function resume(): void {
  const { release } = pause ?? {};
  pause = undefined;
  say();
  release?.();
  page.resume();
}

export interface LoggedIn {
  access_token: string;
  refresh_token: string;
}

/** True also while the session has ended: the page itself shows the login. */
export function isLoggedIn(): boolean {
  return pause !== undefined || store.get() !== undefined;
}

export function keepSession(login: LoggedIn): void {
  known = login.refresh_token;
  keep(login);
}

export async function comeBack(login: LoggedIn): Promise<void> {
  keep(login);
  isLoginOfPage = true;
  try {
    await recognise();
  } finally {
    isLoginOfPage = false;
  }
}

function keep({ access_token, refresh_token }: LoggedIn): void {
  store.set({ accessToken: access_token, refreshToken: refresh_token });
}

/** Logs out in all tabs of this browser. The session itself lasts until it expires or is ended. */
export function forgetSession(): void {
  forgetPerson();
  known = undefined;
  browserTexts().setItem(STORED.logout.key, String(Date.now()));
  store.set(undefined);
}

export async function leave(isEnded: boolean): Promise<void> {
  forgetPerson();
  known = undefined;
  await page.leave(isEnded);
  pause = undefined;
  say();
}

onOtherTab(({ key }) => {
  if (key === STORED.logout.key) void leave(false);
  else if ((key === null || key === 'refreshToken') && (pause !== undefined || isChanged())) hold();
});

// Before all other listeners: no shortcut may act on the page behind the login dialog.
addEventListener(
  'keydown',
  (event) => {
    if (ENDED.get() !== undefined && (event.key === 'Escape' || event.ctrlKey || event.metaKey))
      event.stopPropagation();
  },
  { capture: true },
);

const FOLLOWED_KEY = STORED.followed.key;

/** Records that this tab follows another tab's login to another person or workspace. */
const noteFollowed = () => tabTexts().setItem(FOLLOWED_KEY, 'yes');

export function hasFollowed(): boolean {
  const has = tabTexts().getItem(FOLLOWED_KEY) !== null;
  tabTexts().removeItem(FOLLOWED_KEY);
  return has;
}
