/** The addresses of a GitHub: of github.com, of a GitHub Enterprise Server, or of an enterprise at ghe.com. */
export interface GitHubAddresses {
  /** Without a slash at its end. */
  api: string;
  /** With its port, where it has one: the only host that gets a token. */
  apiHost: string;
  authorizationUrl: string;
  tokenUrl: string;
}

const GITHUB_COM = 'https://github.com';

/** `url`: the origin at which people open it. */
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

/** An operator's own GitHub may stand in a private network: its entry of the hosts that the app may reach. */
export function privateHostOfGitHub(url: string | undefined): string[] {
  return url === undefined ? [] : [`${new URL(url).host}/github`];
}
