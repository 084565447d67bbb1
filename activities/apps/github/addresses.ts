/** The addresses of github.com, a GitHub Enterprise Server, or an enterprise at ghe.com. */
export interface GitHubAddresses {
  api: string;
  /** Includes the port, if any. No other host receives a token. */
  apiHost: string;
  authorizationUrl: string;
  tokenUrl: string;
}

const GITHUB_COM = 'https://github.com';

export function gitHubAddresses(url: string = GITHUB_COM): GitHubAddresses {
  const { origin, host, protocol } = new URL(url);
  const isHosted = host === 'github.com' || host.endsWith('.ghe.com');
  const apiHost = isHosted ? `api.${host}` : host;
  return {
    api: `${protocol}//${apiHost}${isHosted ? '' : '/api/v3'}`,
    apiHost,
    authorizationUrl: `${origin}/login/oauth/authorize`,
    tokenUrl: `${origin}/login/oauth/access_token`,
  };
}
