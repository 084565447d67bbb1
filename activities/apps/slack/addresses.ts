export interface SlackAddresses {
  api: string;
  /** Includes the port, if any. No other host receives a token. */
  host: string;
  authorizationUrl: string;
  tokenUrl: string;
}

export function slackAddresses(url = 'https://slack.com'): SlackAddresses {
  const { origin, host } = new URL(url);
  const api = `${origin}/api`;
  return { api, host, authorizationUrl: `${origin}/oauth/v2/authorize`, tokenUrl: `${api}/oauth.v2.access` };
}
