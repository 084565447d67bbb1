import { Problem } from '../../domain/problem.ts';

/** Returns the redirect address that is registered at the provider; without PUBLIC_URL, by the Host header. */
export function callbackUrl(
  publicUrl: string | undefined,
  headers: Record<string, string | undefined>,
  path: string,
): URL {
  return new URL(`${baseUrl(publicUrl, headers)}${path}`);
}

/** Returns our address without a trailing slash; if none is set, the one that the browser called. */
export function baseUrl(url: string | undefined, { host = 'localhost' }: Record<string, string | undefined>): string {
  const base = (url ?? `http://${host}`).replace(/\/+$/, '');
  if (!URL.canParse(base)) throw new Problem('VALIDATION_FAILED', 'The header Host is not a valid host');
  return base;
}
