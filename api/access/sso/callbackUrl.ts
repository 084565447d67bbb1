import type { Config } from '../../../config.ts';
import { Problem } from '../../../domain/problem.ts';

/** Where a provider sends people back to, as it is registered there: by PUBLIC_URL, without one as the browser came. */
export function callbackUrl(
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  headers: Record<string, string | undefined>,
  providerId: string,
): URL {
  const base = PUBLIC_URL ?? `http://${headers.host ?? 'localhost'}`;
  const url = `${base.replace(/\/+$/, '')}/api/auth/sso/${providerId}/callback`;
  if (!URL.canParse(url)) throw new Problem('VALIDATION_FAILED', 'The header Host is not a host');
  return new URL(url);
}
