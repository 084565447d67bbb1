import type { ConnectionOptions } from 'node:tls';
import type { AddressGuard } from '../guard/addressGuard.ts';
import { readServerPlace, requireTexts, type ServerPlace } from '../guard/serverPlace.ts';

export interface ServerSettings extends ServerPlace {
  database: string;
  user: string;
  password: string;
  tls: ConnectionOptions | false;
}

/** Reads the fields of a connection (manifest.ts), which are texts. Throws UnusableCredentials. */
export function serverSettings(credentials: Record<string, string>, guard: AddressGuard): ServerSettings {
  const { database = '', user = '', password = '', ca = '' } = credentials;
  const { host, port } = readServerPlace(credentials, 5432);
  requireTexts({ database, user, password });
  const ssl = credentials.ssl || (guard.isAllowedPrivate(host, port) ? 'disable' : 'verify-full');
  return { host, port, database, user, password, tls: tlsOf(ssl, ca) };
}

function tlsOf(ssl: string, ca: string): ConnectionOptions | false {
  if (ssl === 'disable') return false;
  if (ssl === 'require') return { rejectUnauthorized: false };
  return { rejectUnauthorized: true, ...(ca === '' ? {} : { ca }) };
}
