import { normalizeEmail } from '../../../domain/access/emailAddress.ts';
import { browserTexts, STORED, tabTexts } from '../storage/browserStorage.ts';

const KEY = STORED.loginPage.key;
/** `maxAgeMs`: links to log in are valid that long. */
const { key: LINK_KEY, maxAgeMs: LINK_MS } = STORED.linkPage;

/** Keeps where somebody wants to go who leaves for their provider; undefined: nowhere in particular. */
export function keepWayOn(page: string | undefined): void {
  if (page === undefined) tabTexts().removeItem(KEY);
  else tabTexts().setItem(KEY, page);
}

/** Where they wanted to go, once. */
export function takeWayOn(): string | undefined {
  const page = tabTexts().getItem(KEY) ?? undefined;
  tabTexts().removeItem(KEY);
  return page;
}

/** Keeps where somebody wants to go who has asked for a link to log in; undefined: nowhere in particular. */
export function keepLinkWayOn(email: string, page: string | undefined): void {
  if (page === undefined) browserTexts().removeItem(LINK_KEY);
  else
    browserTexts().setItem(
      LINK_KEY,
      JSON.stringify({ email: normalizeEmail(email), page, until: Date.now() + LINK_MS }),
    );
}

/** Where the person who has come by a link wanted to go, once; undefined for everybody else. */
export function takeLinkWayOn(email: string): string | undefined {
  const kept = browserTexts().getItem(LINK_KEY);
  if (kept === null) return undefined;
  const wish = JSON.parse(kept) as { email: string; page: string; until: number };
  if (wish.email !== normalizeEmail(email) && Date.now() < wish.until) return undefined;
  browserTexts().removeItem(LINK_KEY);
  return Date.now() < wish.until ? wish.page : undefined;
}

/** A page of the console alone: an address elsewhere would lead people away with a login page's blessing. */
export function nextPage(next: string | undefined): string {
  return next?.startsWith('/') === true && !next.startsWith('//') && !next.includes('\\') ? next : '/';
}
