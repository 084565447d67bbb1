/** The URL of the client's page that takes hidden tokens. It comes from CLIENT_URL only, never from a request. */
export function verifyTokenUrl(clientUrl: string, result: Readonly<Record<string, string>>): URL {
  const url = new URL(`${clientUrl.replace(/\/+$/, '')}/verify-token`);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  return url;
}
