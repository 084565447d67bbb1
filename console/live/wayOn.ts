/** Of this tab alone: a provider of single sign-on sends people back to one address, which does not name their page. */
const KEY = 'perdure.wayOn';

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

/** A page of the console alone: an address elsewhere would lead people away with a login page's blessing. */
export function nextPage(next: string | undefined): string {
  return next?.startsWith('/') === true && !next.startsWith('//') && !next.includes('\\') ? next : '/';
}
