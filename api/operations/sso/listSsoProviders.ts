import type { PublicOperation } from '../../operation.ts';

/** What everybody may know of the providers: no secrets, no workspaces. */
export const listSsoProviders: PublicOperation<'listSsoProviders'> = async ({ services: { config } }) =>
  config.SSO_PROVIDERS.map(({ id, name, issuer, clientId, ssoEnforced, passwordAuthDisabled }) => ({
    id,
    name,
    issuer,
    clientId,
    ssoEnforced,
    passwordAuthDisabled,
    loginUrl: `/api/auth/sso/${id}/login`,
  }));
