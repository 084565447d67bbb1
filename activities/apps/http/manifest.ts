import type { ActionManifest, AppManifest, ConnectionType, TriggerManifest } from '../../../domain/app/manifest.ts';
import { OAUTH2_GRANTS } from '../../../domain/app/oauth2.ts';
import { A_COUNT, AN_OBJECT, ANYTHING, fixed } from '../../../domain/app/outputSchema.ts';
import type { Field } from '../../../domain/field.ts';
import { icon } from '../icon.ts';

/** CONNECT and TRACE are missing: they are for proxies and for debugging them. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

const ALLOWED_HOSTS: Field = {
  key: 'allowedHosts',
  label: 'Hosts',
  type: 'json',
  required: true,
  help: 'Hosts that may receive the credential: a list, or one text with commas; each a name with an optional port, such as api.example.com, *.example.com (every name below it) or localhost:8080. A request to another host fails with CONNECTION_HOST_NOT_ALLOWED before anything is sent.',
};

const API_KEY: ConnectionType = {
  connectionId: 'apiKey',
  name: 'API key',
  type: 'apiKey',
  fields: [
    { key: 'apiKey', label: 'API key', type: 'secret', required: true },
    { key: 'header', label: 'Header', type: 'text', required: false, help: 'Default: Authorization.' },
    {
      key: 'prefix',
      label: 'Prefix',
      type: 'text',
      required: false,
      help: 'Text before the key; none: no prefix. Empty: Bearer in the header Authorization, no prefix in other headers.',
    },
    ALLOWED_HOSTS,
  ],
};

const BASIC: ConnectionType = {
  connectionId: 'basic',
  name: 'User name and password',
  type: 'basic',
  fields: [
    { key: 'username', label: 'User name', type: 'text', required: true },
    { key: 'password', label: 'Password', type: 'secret', required: true },
    ALLOWED_HOSTS,
  ],
};

const OAUTH2: ConnectionType = {
  connectionId: 'oauth2',
  name: 'OAuth2',
  type: 'oauth2',
  fields: [
    {
      key: 'grant',
      label: 'Grant',
      type: 'select',
      required: false,
      default: 'authorizationCode',
      options: OAUTH2_GRANTS,
    },
    {
      key: 'authorizationUrl',
      label: 'Authorization address',
      type: 'text',
      required: false,
      help: 'Where a person authorizes: https, or http on loopback. Required for the grant authorizationCode.',
    },
    {
      key: 'tokenUrl',
      label: 'Token address',
      type: 'text',
      required: true,
      help: 'https, or http on loopback. The rules for private hosts are those of HTTP request.',
    },
    {
      key: 'scopes',
      label: 'Scopes',
      type: 'json',
      required: false,
      help: 'Names separated by spaces, or a list. Many providers give a refresh token only with a scope such as offline_access.',
    },
    { key: 'clientId', label: 'Client id', type: 'text', required: true },
    {
      key: 'clientSecret',
      label: 'Client secret',
      type: 'secret',
      required: false,
      help: 'Empty: a public client, which authenticates only with PKCE. Required for the grant clientCredentials.',
    },
    ALLOWED_HOSTS,
  ],
};

const REQUEST: ActionManifest = {
  actionId: 'request',
  name: 'HTTP request',
  description:
    'Calls a web service. Only public addresses are reached, unless HTTP_ALLOWED_PRIVATE_HOSTS lists the host. Up to 5 redirects are followed; credentials and Idempotency-Key never go along to another origin. The credential of a connection is sent only to the hosts that the connection names; the console of the step shows a redirect to which it was not sent.',
  inputConfig: {
    fields: [
      {
        key: 'method',
        label: 'Method',
        type: 'select',
        required: false,
        default: 'GET',
        options: METHODS.map((method) => ({ value: method, label: method })),
        help: 'POST and PATCH send a header Idempotency-Key, the same in each attempt of the step; another value replaces it, null removes it.',
      },
      { key: 'url', label: 'URL', type: 'text', required: true, help: 'An absolute http or https address.' },
      {
        key: 'query',
        label: 'Query',
        type: 'json',
        required: false,
        help: 'An object, added to the query of the URL; a list gives the name several times, null is left out.',
      },
      {
        key: 'headers',
        label: 'Headers',
        type: 'json',
        required: false,
        help: 'An object of texts. Credentials belong in a connection.',
      },
      {
        key: 'body',
        label: 'Body',
        type: 'json',
        required: false,
        help: 'Objects and lists are sent as JSON, or as a form if the header Content-Type is application/x-www-form-urlencoded; text is sent as it is.',
      },
      {
        key: 'timeoutMs',
        label: 'Timeout (ms)',
        type: 'number',
        required: false,
        default: 30_000,
        help: 'Timeout of the whole request, including redirects and reading the response.',
      },
      {
        key: 'responseType',
        label: 'Answer as',
        type: 'select',
        required: false,
        default: 'auto',
        options: [
          { value: 'auto', label: 'By its content type' },
          { value: 'json', label: 'JSON' },
          { value: 'text', label: 'Text' },
          { value: 'base64', label: 'Base64' },
        ],
      },
      {
        key: 'failOnStatus',
        label: 'Fail on status 400 and above',
        type: 'boolean',
        required: false,
        default: true,
        help: 'Fails with HTTP_STATUS. With more than one attempt, 408, 425, 429 and 500 and above are tried again, after Retry-After if the answer has it. Off: the answer is the output.',
      },
      {
        key: 'followRedirects',
        label: 'Follow redirects',
        type: 'boolean',
        required: false,
        default: true,
        help: 'Off: the redirect is the output.',
      },
      {
        key: 'maxResponseBytes',
        label: 'Largest answer (bytes)',
        type: 'number',
        required: false,
        help: "Limit for the decompressed answer, below the platform's own.",
      },
    ],
    objects: ['query', 'headers'],
  },
  outputExample: {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: { id: 17, name: 'Ada' },
    durationMs: 84,
  },
  outputSchema: fixed({ status: A_COUNT, headers: AN_OBJECT, body: ANYTHING, durationMs: A_COUNT }),
  effect: 'write',
  repeatable: false,
  usesKey: true,
  requiresConnection: false,
  permissions: [],
  placement: 'remote',
};

const POLL: TriggerManifest = {
  triggerId: 'poll',
  name: 'New entry of a list',
  description:
    'Each new entry of a JSON list, in the order of the list. The rules for hosts are those of HTTP request; ETag and Last-Modified are sent back.',
  permissions: [],
  inputConfig: {
    fields: [
      { key: 'url', label: 'URL', type: 'text', required: true, help: 'An absolute http or https address.' },
      {
        key: 'headers',
        label: 'Headers',
        type: 'json',
        required: false,
        help: 'An object of texts. Credentials belong in a connection.',
      },
      {
        key: 'itemsPath',
        label: 'Path of the list',
        type: 'text',
        required: false,
        help: 'For example data.orders; empty: the answer itself.',
      },
      {
        key: 'idPath',
        label: 'Path of the id in an entry',
        type: 'text',
        required: false,
        default: 'id',
        help: 'A text or number that identifies an entry.',
      },
    ],
    objects: ['headers'],
  },
};

export const HTTP: AppManifest = {
  appId: 'http',
  name: 'HTTP',
  description: 'Calls any web service.',
  icon: icon('<circle cx="12" cy="12" r="9"/><path d="M3 12h18"/><path d="M12 3a14 14 0 0 1 0 18 14 14 0 0 1 0-18z"/>'),
  categories: ['Web'],
  connectionTypes: [API_KEY, BASIC, OAUTH2],
  actions: [REQUEST],
  triggers: [POLL],
};
