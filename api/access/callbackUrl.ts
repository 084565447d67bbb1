import { Problem } from '../../domain/problem.ts';

/** Where a provider sends people back to, as it is registered there: by PUBLIC_URL, without one as the browser came. */
export function callbackUrl(
  publicUrl: string | undefined,
  headers: Record<string, string | undefined>,
  path: string,
): URL {
  return new URL(`${baseUrl(publicUrl, headers)}${path}`);
}

/** An address of ours without a slash at its end, or where none is set, the one that the browser called. */
export function baseUrl(url: string | undefined, { host = 'localhost' }: Record<string, string | undefined>): string {
  const base = (url ?? `http://${host}`).replace(/\/+$/, '');
  if (!URL.canParse(base)) throw new Problem('VALIDATION_FAILED', 'The header Host is not a valid host');
  return base;
}
