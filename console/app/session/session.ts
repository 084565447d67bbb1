import { browserTokens, createClient, type TokenStore } from 'perdure-client';
import { loaded } from '../../ui/load/loaded.ts';
import { newReaders } from '../../ui/load/readers.ts';
import { sendOnce } from '../delivery/sendOnce.ts';
import { browserTexts, forgetPerson, onOtherTab, STORED } from '../storage/browserStorage.ts';
import { noteFollowed } from './followedTab.ts';

/** Whose page stands open, and of which workspace. */
export interface PageOwner {
  id: string;
  workspaceId: string;
  /** Absent of an API key. */
  email: string | undefined;
}

/** What the rest of the console does for its session; main.tsx sets it. */
export interface SessionPage {
  /** Undefined before it is known, and on pages of the login. */
  owner: () => PageOwner | undefined;
  /** Clears the page away, and leads to the login; `isEnded`: since the session has ended. */
  leave: (isEnded: boolean) => Promise<void>;
  /** The session is back: what is shown is read again. */
  goOn: () => void;
}

interface Pause {
  owner: PageOwner;
  /** The session has ended, so that the person must log in; else a login is looked at that was done elsewhere. */
  isEnded: boolean;
  over: Promise<void>;
  goOn: () => void;
}

const store = browserTokens();
let page: SessionPage = { owner: () => undefined, leave: async () => undefined, goOn: () => undefined };
let pause: Pause | undefined;
/** Of the login by which this page goes. Another one is looked at before anything is asked by it. */
let known = store.get()?.refreshToken;
const { subscribe, say } = newReaders();

export function servePage(served: SessionPage): void {
  page = served;
}

/** For `useSyncExternalStore`: whose session has ended while their page stands open. */
export const ENDED = {
  subscribe,
  get: () => (pause?.isEnded === true ? pause.owner : undefined),
};

/** What is asked while a session is over waits until it is back; then it is sent as it was. */
const tokens: TokenStore = {
  async get() {
    for (;;) {
      if (pause === undefined && !isChanged()) return store.get();
      look();
      await pause?.over;
    }
  },
  set(next) {
    // What was renewed or refused was this login; another tab may have begun another meanwhile.
    const { refreshToken } = store.get() ?? {};
    if (refreshToken === (next === undefined ? known : next.refreshToken)) store.set(next);
  },
};

/** The one client of this page. Everything that speaks to the API goes through it. */
export const client = createClient({
  url: location.origin,
  tokens,
  fetch: sendOnce,
  onLoggedOut: () => {
    if (page.owner() === undefined) void leave(true);
    else look();
  },
});

/** Whether the login is another one than that of the page. A page that is nobody's yet takes what there is. */
function isChanged(): boolean {
  const { refreshToken } = store.get() ?? {};
  if (refreshToken === known) return false;
  if (page.owner() !== undefined) return true;
  // What was asked by the one before may be about somebody else, or another workspace.
  if (known !== undefined) page.goOn();
  known = refreshToken;
  return false;
}

/** Holds all requests of the page, and asks for a login, or looks at the one that was done elsewhere. */
function look(): void {
  const owner = page.owner();
  if (pause === undefined) {
    if (owner === undefined) return;
    let goOn: () => void = () => undefined;
    const over = new Promise<void>((done) => {
      goOn = done;
    });
    pause = { owner, isEnded: false, over, goOn };
  }
  if (store.get() !== undefined) void recognise();
  else if (!pause.isEnded) {
    pause.isEnded = true;
    say();
  }
}

let recognising: Promise<void> | undefined;
/** The login that is looked at was done on this page, and not in another tab. */
let isLoginOfPage = false;

/** Looks whose login there is now: the page goes on for its own person in its own workspace, and is cleared away for others. */
export function recognise(): Promise<void> {
  recognising ??= loaded(() => import('./whoseLogin.ts'))
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
  const { goOn } = pause ?? {};
  pause = undefined;
  say();
  goOn?.();
  page.goOn();
}

/** What the API answers to a login that is done. */
export interface LoggedIn {
  access_token: string;
  refresh_token: string;
}

export function isLoggedIn(): boolean {
  // Of a page whose session has ended the person is asked in its place.
  return pause !== undefined || store.get() !== undefined;
}

/** Keeps the tokens of a login; the other tabs of the browser have them, too. */
export function keepSession(login: LoggedIn): void {
  known = login.refresh_token;
  keep(login);
}

/** Goes on with the page whose session had ended, or clears it away where somebody else has logged in. */
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

/** Of this browser alone, in all its tabs: the session itself stays until it ends, or is ended. */
export function forgetSession(): void {
  forgetPerson();
  known = undefined;
  browserTexts().setItem(STORED.logout.key, String(Date.now()));
  store.set(undefined);
}

/** Leads to the login, where nothing of the person is left. */
export async function leave(isEnded: boolean): Promise<void> {
  forgetPerson();
  known = undefined;
  await page.leave(isEnded);
  pause = undefined;
  say();
}

onOtherTab(({ key }) => {
  if (key === STORED.logout.key) void leave(false);
  else if ((key === null || key === 'refreshToken') && (pause !== undefined || isChanged())) look();
});

// Before all that listens to keys: none may close, or open, what is behind the dialog of the login.
addEventListener(
  'keydown',
  (event) => {
    if (ENDED.get() !== undefined && (event.key === 'Escape' || event.ctrlKey || event.metaKey))
      event.stopPropagation();
  },
  { capture: true },
);
