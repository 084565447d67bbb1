import { normalizeEmail } from '../../../domain/access/emailAddress.ts';
import { browserTexts, STORED, tabTexts } from '../storage/browserStorage.ts';

const KEY = STORED.loginPage.key;
/** `maxAgeMs`: the lifetime of a login link. */
const { key: LINK_KEY, maxAgeMs: LINK_MS } = STORED.linkPage;

/** Stores the page to open after single sign-on; undefined: the home page. */
export function keepPageAfterLogin(page: string | undefined): void {
  if (page === undefined) tabTexts().removeItem(KEY);
  else tabTexts().setItem(KEY, page);
}

export function takePageAfterLogin(): string | undefined {
  const page = tabTexts().getItem(KEY) ?? undefined;
  tabTexts().removeItem(KEY);
  return page;
}

/** Stores the page to open after a login through a mailed link; undefined: the home page. */
export function keepPageAfterLink(email: string, page: string | undefined): void {
  if (page === undefined) browserTexts().removeItem(LINK_KEY);
  else
    browserTexts().setItem(
      LINK_KEY,
      JSON.stringify({ email: normalizeEmail(email), page, until: Date.now() + LINK_MS }),
    );
}

/** Undefined for another e-mail address. */
export function takePageAfterLink(email: string): string | undefined {
  const kept = browserTexts().getItem(LINK_KEY);
  if (kept === null) return undefined;
  const wish = JSON.parse(kept) as { email: string; page: string; until: number };
  if (wish.email !== normalizeEmail(email) && Date.now() < wish.until) return undefined;
  browserTexts().removeItem(LINK_KEY);
  return Date.now() < wish.until ? wish.page : undefined;
}

/** Allows pages of the console only: a login page must not redirect to another site. */
export function nextPage(next: string | undefined): string {
  return next?.startsWith('/') === true && !next.startsWith('//') && !next.includes('\\') ? next : '/';
}
