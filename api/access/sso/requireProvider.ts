import type { SsoProvider } from '../../../domain/access/ssoProvider.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Services } from '../../services.ts';

/** Throws NOT_FOUND. */
export function requireProvider({ sso }: Pick<Services, 'sso'>, providerId: string): SsoProvider {
  const provider = sso.find(providerId);
  if (!provider) throw new Problem('NOT_FOUND', 'There is no such identity provider');
  return provider;
}
