import { normalizeEmail } from '../../../domain/access/emailAddress.ts';

/** Of this tab alone: a provider of single sign-on sends people back to one address, which does not name their page. */
const KEY = 'perdure.wayOn';
/** Of this browser: a link that comes by mail opens another tab. */
const LINK_KEY = 'perdure.linkWayOn';
/** No link to log in is opened later. */
const LINK_MS = 24 * 3_600_000;

/** Keeps where somebody wants to go who leaves for their provider; undefined: nowhere in particular. */
export function keepWayOn(page: string | undefined): void {
  if (page === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, page);
}

/** Where they wanted to go, once. */
export function takeWayOn(): string | undefined {
  const page = sessionStorage.getItem(KEY) ?? undefined;
  sessionStorage.removeItem(KEY);
  return page;
}

/** Keeps where somebody wants to go who has asked for a link to log in; undefined: nowhere in particular. */
export function keepLinkWayOn(email: string, page: string | undefined): void {
  if (page === undefined) localStorage.removeItem(LINK_KEY);
  else
    localStorage.setItem(LINK_KEY, JSON.stringify({ email: normalizeEmail(email), page, until: Date.now() + LINK_MS }));
}

/** Where the person who has come by a link wanted to go, once; undefined for everybody else. */
export function takeLinkWayOn(email: string): string | undefined {
  const kept = localStorage.getItem(LINK_KEY);
  if (kept === null) return undefined;
  const wish = JSON.parse(kept) as { email: string; page: string; until: number };
  if (wish.email !== normalizeEmail(email) && Date.now() < wish.until) return undefined;
  localStorage.removeItem(LINK_KEY);
  return Date.now() < wish.until ? wish.page : undefined;
}

/** A page of the console alone: an address elsewhere would lead people away with a login page's blessing. */
export function nextPage(next: string | undefined): string {
  return next?.startsWith('/') === true && !next.startsWith('//') && !next.includes('\\') ? next : '/';
}
