import type { AddressGuard } from '../guard/addressGuard.ts';
import { readServerPlace, requireTexts } from '../guard/serverPlace.ts';
import type { DatabasePlace } from '../sql/databaseTurns.ts';

export interface MySqlServer extends DatabasePlace {
  password: string;
  tls: { ca?: string } | undefined;
}

/** Reads the fields of a connection (manifest.ts), which are texts. Throws UnusableCredentials. */
export function mySqlServer(credentials: Record<string, string>, guard: AddressGuard): MySqlServer {
  const { database = '', user = '', password = '', tls = '', ca = '' } = credentials;
  const { host, port } = readServerPlace(credentials, 3306);
  requireTexts({ database, user, password });
  const isEncrypted = tls === '' ? ca !== '' || !guard.isAllowedPrivate(host, port) : tls === 'true';
  const settings = ca === '' ? {} : { ca };
  return { host, port, database, user, password, tls: isEncrypted ? settings : undefined };
}
