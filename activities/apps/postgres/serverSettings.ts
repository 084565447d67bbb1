import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { AddressGuard } from '../guard/addressGuard.ts';

export interface ServerSettings {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  tls: ConnectionOptions | false;
}

/** Invalid credentials. The message names the field, never its value. */
export class UnusableCredentials extends Error {}

const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9.])?$/;

/** Reads the fields of a connection (manifest.ts), which are texts. Throws UnusableCredentials. */
export function serverSettings(credentials: Record<string, string>, guard: AddressGuard): ServerSettings {
  const { host = '', port = '5432', database = '', user = '', password = '', ca = '' } = credentials;
  const bare = host.trim().replace(/^\[|\]$/g, '');
  if (isIP(bare) === 0 && !HOST_NAME.test(bare)) {
    throw new UnusableCredentials('host: expected the name or the address of a server, without scheme, port or path');
  }
  const number = Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) {
    throw new UnusableCredentials('port: expected a whole number from 1 to 65535');
  }
  // A zero byte would end the value in the protocol and start the next one.
  for (const [key, value] of Object.entries({ database, user, password })) {
    if (value === '' || value.includes('\0')) throw new UnusableCredentials(`${key}: expected text`);
  }
  const ssl = credentials.ssl || (guard.isAllowedPrivate(bare, number) ? 'disable' : 'verify-full');
  return { host: bare, port: number, database, user, password, tls: tlsOf(ssl, ca) };
}

function tlsOf(ssl: string, ca: string): ConnectionOptions | false {
  if (ssl === 'disable') return false;
  if (ssl === 'require') return { rejectUnauthorized: false };
  return { rejectUnauthorized: true, ...(ca === '' ? {} : { ca }) };
}
