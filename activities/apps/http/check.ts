import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { ConnectionCheck } from '../connectionCheck.ts';
import { readAllowedHosts, WrongHosts } from './allowedHosts.ts';

/** The credential is not for one known service, so this only checks whether it fits into a header. */
export const checkHttpCredentials: ConnectionCheck = (connectionType, credentials) => {
  const { apiKey = '', header, prefix = '', username = '', allowedHosts = '' } = credentials;
  try {
    readAllowedHosts(allowedHosts);
  } catch (error) {
    if (error instanceof WrongHosts) return `allowedHosts: ${error.message}`;
    throw error;
  }
  // The provider checks the rest.
  if (connectionType === 'oauth2') return undefined;
  if (connectionType === 'basic') {
    return username.includes(':') ? 'A user name with a colon cannot be sent by basic authentication' : undefined;
  }
  if (header && !holds(() => validateHeaderName(header))) return 'The header is not a name of an HTTP header';
  return holds(() => validateHeaderValue('authorization', prefix + apiKey))
    ? undefined
    : 'The API key or its prefix holds characters that no HTTP header can';
};

function holds(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
