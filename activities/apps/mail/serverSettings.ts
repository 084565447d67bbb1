import type { ConnectionOptions } from 'node:tls';
import type { AddressGuard } from '../guard/addressGuard.ts';
import { readServerPlace, type ServerPlace, UnusableCredentials } from '../guard/serverPlace.ts';

export interface MailServer extends ServerPlace {
  login: { user: string; password: string } | undefined;
  /** TLS from the start. */
  secure: boolean;
  /** STARTTLS may be missing, and its certificate is not checked: a server of the operator's own network. */
  isTrusted: boolean;
  tls: ConnectionOptions;
}

/** Reads the fields of a connection, which are texts. Throws UnusableCredentials. */
export function mailServerSettings(
  credentials: Record<string, string>,
  ports: { plain: number; secure: number },
  guard: AddressGuard,
): MailServer {
  const { user = '', password = '', secure = '', ca = '' } = credentials;
  const place = readServerPlace(credentials, secure === 'true' ? ports.secure : ports.plain);
  if ((user === '') !== (password === '')) {
    throw new UnusableCredentials('password: expected a user with a password, or neither');
  }
  if (`${user}${password}`.includes('\0')) throw new UnusableCredentials('user: expected text');
  const isSecure = secure === '' ? place.port === ports.secure : secure === 'true';
  const isTrusted = !isSecure && ca === '' && guard.isAllowedPrivate(place.host, place.port);
  return {
    ...place,
    login: user === '' ? undefined : { user, password },
    secure: isSecure,
    isTrusted,
    tls: { rejectUnauthorized: !isTrusted, ...(ca === '' ? {} : { ca }) },
  };
}
