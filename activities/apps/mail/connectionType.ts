import type { ConnectionType } from '../../../domain/app/manifest.ts';

export function mailServer(name: string, port: number, securePort: number, isLoginNeeded: boolean): ConnectionType {
  return {
    connectionId: 'custom',
    name,
    type: 'custom',
    fields: [
      { key: 'host', label: 'Host', type: 'text', required: true, help: 'A name or an address, without a scheme.' },
      {
        key: 'port',
        label: 'Port',
        type: 'number',
        required: false,
        help: `Default: ${securePort} with Secure, else ${port}.`,
      },
      { key: 'user', label: 'User', type: 'text', required: isLoginNeeded },
      { key: 'password', label: 'Password', type: 'secret', required: isLoginNeeded },
      {
        key: 'secure',
        label: 'Secure',
        type: 'boolean',
        required: false,
        help: `True: TLS from the start, as on port ${securePort} (the default there). Otherwise the server must offer STARTTLS, except for a host of HTTP_ALLOWED_PRIVATE_HOSTS, the operator's own network.`,
      },
      {
        key: 'ca',
        label: 'Certificate authority',
        type: 'longText',
        required: false,
        help: 'PEM; if the certificate is not signed by a public authority.',
      },
    ],
  };
}
