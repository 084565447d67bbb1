/** Returns the credentials of a test database for a connection of the app `postgres`; it is on loopback. */
export function credentialsOf(databaseUrl: string): Record<string, string> {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  return {
    host: hostname === 'localhost' ? '127.0.0.1' : hostname,
    port: port || '5432',
    database: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
    // A server that trusts loopback accepts any.
    password: decodeURIComponent(password) || 'sesame-open-7431',
    ssl: 'disable',
  };
}
