import type { ConnectionType } from '../app/manifest.ts';
import { OAUTH2_GRANTS, oauth2AddressProblem } from '../app/oauth2.ts';
import type { Field } from '../field.ts';
import { isJsonObject, type Json, type JsonObject, textOf } from '../json.ts';
import { pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import { FreeNames } from './freeNames.ts';
import type { FoundOperation } from './operations.ts';
import type { References } from './references.ts';

/** Limit of connection types in an app. */
const MAX_TYPES = 20;

/** How one scheme's credential is sent. `fields` are the keys in the connection's credentials. */
export type Credential =
  | { kind: 'query'; name: string; field: string }
  | { kind: 'header' | 'cookie'; name: string; field: string }
  | { kind: 'bearer'; field: string }
  | { kind: 'basic'; username: string; password: string };

export interface SecurityType {
  type: ConnectionType;
  credentials: Credential[];
}

interface Scheme {
  type: ConnectionType['type'];
  fields: Field[];
  credential: Credential;
  oauth2?: NonNullable<ConnectionType['oauth2']>;
  name: string;
}

/** One connection type for each set of schemes that an operation accepts, in the order of their first use. */
export function securityTypesOf(
  document: JsonObject,
  operations: readonly FoundOperation[],
  references: References,
  leaveOut: (problem: ProblemDetail) => void,
): SecurityType[] {
  const sets = new Map<string, string[]>();
  const scopes = new Map<string, Set<string>>();
  for (const found of operations) {
    for (const requirement of requirementsOf(document, found)) {
      const names = Object.keys(requirement);
      if (names.length > 0) sets.set(names.join(' '), names);
      for (const name of names) {
        const ofScheme = scopes.get(name) ?? new Set();
        scopes.set(name, ofScheme);
        for (const scope of requirement[name] ?? []) ofScheme.add(scope);
      }
    }
  }
  const schemes = schemesOf(document);
  const ids = new FreeNames(64);
  if (sets.size > MAX_TYPES)
    leaveOut({
      path: 'security',
      message: `only the first ${MAX_TYPES} of ${sets.size} sets of schemes are types of connections`,
    });
  return [...sets.values()].slice(0, MAX_TYPES).flatMap((names): SecurityType[] => {
    const read = names.map((name) => {
      const place = pathTo('components.securitySchemes', name);
      const scheme = references.follow(schemes[name], place);
      const isCombined = names.length > 1;
      return scheme && schemeOf({ name, isCombined, scopes: [...(scopes.get(name) ?? [])], ...scheme }, leaveOut);
    });
    if (!read.every((one) => one !== undefined)) return [];
    if (read.length > 1 && read.some(({ type }) => type === 'oauth2')) {
      leaveOut({
        path: 'security',
        message: `OAuth2 together with another scheme (${names.join(', ')}) is not supported`,
      });
      return [];
    }
    const connectionId = ids.take(names.map(plainKey).join('_'));
    const [first] = read as [Scheme, ...Scheme[]];
    const type: ConnectionType = {
      connectionId,
      name: read.map((one) => one.name).join(' and '),
      type: read.length === 1 ? first.type : 'custom',
      fields: read.flatMap(({ fields }) => fields),
      ...(first.oauth2 ? { oauth2: first.oauth2 } : {}),
    };
    return [{ type, credentials: read.map(({ credential }) => credential) }];
  });
}

function schemesOf({ components }: JsonObject): JsonObject {
  return isJsonObject(components) && isJsonObject(components.securitySchemes) ? components.securitySchemes : {};
}

export function declaresSecurity(document: JsonObject): boolean {
  return Object.keys(schemesOf(document)).length > 0;
}

/**
 * For documents without security schemes, which many services have. Its credential is sent as that of the app `http`:
 * the header's default is Authorization.
 */
export const UNDECLARED: ConnectionType = {
  connectionId: 'apiKey',
  name: 'API key',
  type: 'apiKey',
  fields: [
    secret('apiKey', 'API key'),
    { key: 'header', label: 'Header', type: 'text', required: false, help: 'Default: Authorization.' },
    {
      ...{ key: 'prefix', label: 'Prefix', type: 'text', required: false },
      help: 'Text before the key; none: no prefix. Empty: Bearer in the header Authorization, no prefix in other headers.',
    },
  ],
};

/** The scopes by scheme, in alternatives. An alternative without schemes: no credential is needed. */
function requirementsOf(
  document: JsonObject,
  { operation }: Pick<FoundOperation, 'operation'>,
): Record<string, string[]>[] {
  const security = operation.security ?? document.security;
  const all = Array.isArray(security) ? security.filter(isJsonObject) : [];
  if (all.length === 0) return [{}];
  const texts = (scopes: Json) => (Array.isArray(scopes) ? scopes.filter((one) => typeof one === 'string') : []);
  return all.map((one) => Object.fromEntries(Object.entries(one).map(([name, scopes]) => [name, texts(scopes)])));
}

export function needsCredential(document: JsonObject, found: Pick<FoundOperation, 'operation'>): boolean {
  return requirementsOf(document, found).every((requirement) => Object.keys(requirement).length > 0);
}

interface GivenScheme {
  name: string;
  value: JsonObject;
  place: string;
  scopes: string[];
  /** True if another scheme has its fields in the same connection. */
  isCombined: boolean;
}

function schemeOf(
  { name, value: scheme, place, scopes, isCombined }: GivenScheme,
  leaveOut: (problem: ProblemDetail) => void,
): Scheme | undefined {
  const field = (own: string) => (isCombined ? `${plainKey(name)}_${own}` : own);
  const kind = textOf(scheme.type);
  if (kind === 'apiKey' && typeof scheme.name === 'string' && isKeyPlace(scheme.in)) {
    const key = field('apiKey');
    return {
      ...{ type: 'apiKey', name: isCombined ? scheme.name : 'API key' },
      fields: [secret(key, isCombined ? scheme.name : 'API key')],
      credential: { kind: scheme.in, name: scheme.name, field: key },
    };
  }
  if (kind === 'http' && /^basic$/i.test(textOf(scheme.scheme))) {
    const [username, password] = [field('username'), field('password')];
    return {
      ...{ type: 'basic', name: 'User name and password' },
      fields: [
        { key: username, label: 'User name', type: 'text', required: true },
        { ...secret(password, 'Password'), required: false },
      ],
      credential: { kind: 'basic', username, password },
    };
  }
  if (kind === 'http' && /^bearer$/i.test(textOf(scheme.scheme))) return bearer(field('token'), 'Token');
  if (kind === 'oauth2') return oauth2Of(scheme, { place, scopes, tokenField: field('token') }, leaveOut);
  if (kind === 'openIdConnect') {
    leaveOut({ path: place, message: 'OpenID Connect is not supported: a connection takes an access token' });
    return bearer(field('token'), 'Access token');
  }
  leaveOut({ path: place, message: `the scheme ${kind} is not supported` });
  return undefined;
}

function oauth2Of(
  { flows }: JsonObject,
  { place, scopes, tokenField }: { place: string; scopes: string[]; tokenField: string },
  leaveOut: (problem: ProblemDetail) => void,
): Scheme {
  const given = isJsonObject(flows) ? flows : {};
  const byPerson = addressesOf(given.authorizationCode, true);
  const byClient = addressesOf(given.clientCredentials, false);
  const flow = byPerson ?? byClient;
  const flowsPlace = pathTo(place, 'flows');
  if (!flow) {
    leaveOut({
      path: flowsPlace,
      message:
        'OAuth2 needs the flow authorizationCode or clientCredentials with https addresses: a connection takes an access token',
    });
    return bearer(tokenField, 'Access token');
  }
  const hasBoth = byPerson !== undefined && byPerson.tokenUrl === byClient?.tokenUrl;
  if (byPerson && byClient && !hasBoth) {
    const message = 'its token address differs from that of authorizationCode, which is taken';
    leaveOut({ path: pathTo(flowsPlace, 'clientCredentials'), message });
  }
  const oauth2 = {
    ...flow,
    ...(scopes.length === 0 ? {} : { scopes: scopes.join(' ') }),
    allowedHosts: new URL(flow.tokenUrl).host,
  };
  const grants = hasBoth ? OAUTH2_GRANTS : OAUTH2_GRANTS.slice(1);
  const fields = byPerson && !hasBoth ? CLIENT_FIELDS : [grantField(grants), ...CLIENT_FIELDS];
  return { type: 'oauth2', name: 'OAuth2', fields, credential: { kind: 'bearer', field: 'accessToken' }, oauth2 };
}

interface Addresses {
  authorizationUrl?: string;
  tokenUrl: string;
}

/** Undefined if an address is missing, or may not receive a secret. */
function addressesOf(flow: Json | undefined, isByPerson: boolean): Addresses | undefined {
  if (!isJsonObject(flow)) return undefined;
  const { authorizationUrl, tokenUrl } = flow;
  if (!isSecureAddress(tokenUrl)) return undefined;
  if (!isByPerson) return { tokenUrl };
  return isSecureAddress(authorizationUrl) ? { authorizationUrl, tokenUrl } : undefined;
}

function isSecureAddress(value: Json | undefined): value is string {
  return typeof value === 'string' && oauth2AddressProblem(value) === undefined;
}

function grantField(options: typeof OAUTH2_GRANTS): Field {
  const [first] = options;
  return { key: 'grant', label: 'Grant', type: 'select', required: false, default: first?.value ?? '', options };
}

const SCOPES: Field = {
  key: 'scopes',
  label: 'Scopes',
  type: 'text',
  required: false,
  help: 'Names separated by spaces.',
};
const CLIENT_ID: Field = { key: 'clientId', label: 'Client id', type: 'text', required: true };
const CLIENT_FIELDS: Field[] = [
  CLIENT_ID,
  { key: 'clientSecret', label: 'Client secret', type: 'secret', required: false },
  SCOPES,
];

function bearer(key: string, label: string): Scheme {
  return { type: 'apiKey', name: label, fields: [secret(key, label)], credential: { kind: 'bearer', field: key } };
}

function secret(key: string, label: string): Field {
  return { key, label, type: 'secret', required: true };
}

function isKeyPlace(value: Json | undefined): value is 'header' | 'query' | 'cookie' {
  return value === 'header' || value === 'query' || value === 'cookie';
}

function plainKey(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 40);
  return /^[A-Za-z]/.test(plain) ? plain : `key${plain}`;
}
