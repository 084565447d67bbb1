import type { Config } from '../../../config.ts';
import { domainOf } from '../../../domain/access/ssoProvider.ts';
import { Problem } from '../../../domain/problem.ts';

/** Throws PASSWORD_LOGIN_DISABLED or SSO_REQUIRED where people of the e-mail address are to come by single sign-on. */
export function refusePasswordLogin({ SSO_PROVIDERS }: Pick<Config, 'SSO_PROVIDERS'>, email: string): void {
  if (SSO_PROVIDERS.some(({ passwordAuthDisabled }) => passwordAuthDisabled)) {
    throw new Problem('PASSWORD_LOGIN_DISABLED', 'This deployment takes no passwords: log in by single sign-on');
  }
  const enforced = SSO_PROVIDERS.find(({ ssoEnforced, domains }) => ssoEnforced && domains.includes(domainOf(email)));
  if (enforced) throw new Problem('SSO_REQUIRED', `People of ${domainOf(email)} log in by ${enforced.name}`);
}
