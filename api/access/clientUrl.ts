/** The page of the deployment's client that takes hidden tokens, with this in its query: nowhere else, whatever a request says. */
export function verifyTokenUrl(clientUrl: string, result: Readonly<Record<string, string>>): URL {
  const url = new URL(`${clientUrl.replace(/\/+$/, '')}/verify-token`);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  return url;
}
