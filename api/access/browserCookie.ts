import { makeOneTimeToken } from './oneTimeToken.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export interface BrowserCookie {
  name: string;
  path: string;
  isSecure: boolean;
}

export function browserToken(
  headers: Record<string, string | undefined>,
  cookie: Pick<BrowserCookie, 'name'>,
): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=');
    if (name === cookie.name && TOKEN.test(value)) return value;
  }
  return undefined;
}

export function newBrowserToken(): string {
  return makeOneTimeToken().token;
}

/** Returns the `Set-Cookie` header that binds a flow to the browser; a `lifeMs` of 0 removes the cookie. */
export function setCookie({ name, path, isSecure }: BrowserCookie, token: string, lifeMs: number): string {
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${token}; Path=${path}; Max-Age=${lifeMs / 1_000}; HttpOnly; SameSite=Lax${secure}`;
}
