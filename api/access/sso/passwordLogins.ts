import type { Config } from '../../../config.ts';
import { domainOf } from '../../../domain/access/ssoProvider.ts';
import { Problem } from '../../../domain/problem.ts';

/** Throws PASSWORD_LOGIN_DISABLED or SSO_REQUIRED if users of the e-mail address must use single sign-on. */
export function refusePasswordLogin(config: Pick<Config, 'SSO_PROVIDERS'>, email: string): void {
  const problem = passwordLoginProblem(config, email);
  if (problem) throw problem;
}

/** Returns why users of the e-mail address may use neither password nor link; undefined if they may. */
export function passwordLoginProblem(
  { SSO_PROVIDERS }: Pick<Config, 'SSO_PROVIDERS'>,
  email: string,
): Problem | undefined {
  if (SSO_PROVIDERS.some(({ passwordAuthDisabled }) => passwordAuthDisabled)) {
    return new Problem(
      'PASSWORD_LOGIN_DISABLED',
      'This deployment does not accept passwords: log in by single sign-on',
    );
  }
  const enforced = SSO_PROVIDERS.find(({ ssoEnforced, domains }) => ssoEnforced && domains.includes(domainOf(email)));
  return (
    enforced &&
    new Problem('SSO_REQUIRED', `Addresses of ${domainOf(email)} must log in by single sign-on: ${enforced.name}`)
  );
}
