import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Credentials } from '../../../engine/credentialVault.ts';

/** Why the credentials would not work, without naming any of them; undefined when nothing speaks against them. */
export type ConnectionCheck = (connectionType: string, credentials: Credentials) => Promise<string | undefined>;

/** By appId: what an app can tell about credentials before they are used. */
export const CONNECTION_CHECKS: Readonly<Record<string, ConnectionCheck>> = {
  // It belongs to no one service that could be asked; whether the credentials fit into a header can be told.
  http: async (connectionType, { apiKey = '', header, prefix = '', username = '' }) => {
    if (connectionType === 'basic') {
      return username.includes(':') ? 'A user name with a colon cannot be sent by basic authentication' : undefined;
    }
    if (header && !holds(() => validateHeaderName(header))) return 'The header is not a name of an HTTP header';
    return holds(() => validateHeaderValue('authorization', prefix + apiKey))
      ? undefined
      : 'The API key or its prefix holds characters that no HTTP header can';
  },
};

function holds(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
