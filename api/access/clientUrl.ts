/** The URL of the client's page that takes hidden tokens. It comes from CLIENT_URL only, never from a request. */
export function verifyTokenUrl(clientUrl: string, result: Readonly<Record<string, string>>): URL {
  return clientPageUrl(clientUrl, 'verify-token', result);
}

/** The URL of a page of the client, with a result for it. */
export function clientPageUrl(clientUrl: string, page: string, result: Readonly<Record<string, string>>): URL {
  const url = new URL(`${clientUrl.replace(/\/+$/, '')}/${page}`);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  return url;
}
