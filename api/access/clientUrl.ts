/** Returns the client's page for hidden tokens, from CLIENT_URL only, never from a request. */
export function verifyTokenUrl(clientUrl: string, result: Readonly<Record<string, string>>): URL {
  return clientPageUrl(clientUrl, 'verify-token', result);
}

export function clientPageUrl(clientUrl: string, page: string, result: Readonly<Record<string, string>>): URL {
  const url = new URL(`${clientUrl.replace(/\/+$/, '')}/${page}`);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  return url;
}
