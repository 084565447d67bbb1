import type { CallConnection } from '../executor.ts';

/**
 * Limits the credential to the hosts, also after a renewal. `keyOf`: the credential that is sent as an API key. A type of
 * the app such as `botToken` is an API key for `http.request`.
 */
export function connectionForHost(connection: CallConnection, allowedHosts: string, keyOf?: string): CallConnection {
  const limited = () => {
    const { credentials } = connection;
    const apiKey = keyOf === undefined ? undefined : credentials[keyOf];
    return { ...credentials, allowedHosts, ...(apiKey === undefined ? {} : { apiKey }) };
  };
  const own: CallConnection = {
    type: connection.type === 'oauth2' ? 'oauth2' : 'apiKey',
    credentials: limited(),
  };
  const { renew } = connection;
  if (renew) {
    own.renew = async () => {
      const failure = await renew();
      own.credentials = limited();
      return failure;
    };
  }
  return own;
}
