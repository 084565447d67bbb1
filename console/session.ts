import { browserTokens, createClient, type Tokens } from 'perdure-client';
import { forgetNotices } from './live/noticeChoice.ts';
import { forgetOutboxes } from './live/outbox.ts';
import { sendOnce } from './live/sendOnce.ts';

const store = browserTokens();

/** Called once the session has ended here or in another tab; the router sets it. */
let ended: () => void = () => undefined;

export function onSessionEnd(act: () => void): void {
  ended = act;
}

/** The one client of this page. Everything that speaks to the API goes through it. */
export const client = createClient({
  url: location.origin,
  tokens: store,
  fetch: sendOnce,
  onLoggedOut: () => ended(),
});

/** What the API answers to a login that is done. */
interface LoggedIn {
  access_token: string;
  refresh_token: string;
}

export function isLoggedIn(): boolean {
  return store.get() !== undefined;
}

/** Keeps the tokens of a login; the other tabs of the browser have them, too. */
export function keepSession({ access_token, refresh_token }: LoggedIn): void {
  const tokens: Tokens = { accessToken: access_token, refreshToken: refresh_token };
  store.set(tokens);
}

/** Of this browser alone: the session itself stays until it ends, or is ended. */
export function forgetSession(): void {
  forgetOutboxes();
  forgetNotices();
  store.set(undefined);
}

// Another tab logged out, or in as somebody else.
addEventListener('storage', ({ key }) => {
  if (key === null || key === 'accessToken') {
    if (!isLoggedIn()) ended();
  }
});
