import { isIP } from 'node:net';

export interface ServerPlace {
  host: string;
  port: number;
}

/** Invalid credentials. The message names the field, never its value. */
export class UnusableCredentials extends Error {}

const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9.])?$/;

/** Reads the host and the port of a connection. Throws UnusableCredentials. */
export function readServerPlace({ host = '', port = '' }: Record<string, string>, defaultPort: number): ServerPlace {
  const bare = host.trim().replace(/^\[|\]$/g, '');
  if (isIP(bare) === 0 && !HOST_NAME.test(bare)) {
    throw new UnusableCredentials('host: expected the name or the address of a server, without scheme, port or path');
  }
  const number = port === '' ? defaultPort : Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) {
    throw new UnusableCredentials('port: expected a whole number from 1 to 65535');
  }
  return { host: bare, port: number };
}

/** Reads fields that are sent as texts of a protocol, where a zero byte would end them. Throws UnusableCredentials. */
export function requireTexts(texts: Record<string, string>): void {
  for (const [key, value] of Object.entries(texts)) {
    if (value === '' || value.includes('\0')) throw new UnusableCredentials(`${key}: expected text`);
  }
}
