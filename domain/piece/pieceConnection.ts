import type { ConnectionType } from '../app/manifest.ts';
import { oauth2AddressProblem } from '../app/oauth2.ts';
import type { Field } from '../field.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { pieceFields, textIn } from './pieceFields.ts';

const MAX_NAME = 100;
/** Old pieces declare many secrets as texts, which would not be masked. */
const SECRET_KEY = /(token|secret|password|api_?key)$/i;

const NAMES: Readonly<Record<string, string>> = {
  SECRET_TEXT: 'API key',
  BASIC_AUTH: 'User name and password',
  CUSTOM_AUTH: 'Account',
  OAUTH2: 'OAuth2',
};

/** Makes a type of connections of a way to log in, or returns why there is none. */
export function pieceConnection(connectionId: string, auth: JsonObject): ConnectionType | string {
  const kind = String(auth.type);
  const name = textIn(auth, 'displayName', MAX_NAME) || NAMES[kind] || kind;
  const base = { connectionId, name };
  if (kind === 'SECRET_TEXT') return { ...base, type: 'apiKey', fields: [{ ...secretOf(name), key: 'apiKey' }] };
  if (kind === 'BASIC_AUTH') {
    const label = (member: string, preset: string) =>
      (isJsonObject(auth[member]) && textIn(auth[member], 'displayName', MAX_NAME)) || preset;
    const username: Field = { key: 'username', label: label('username', 'User name'), type: 'text', required: true };
    const password: Field = { ...secretOf(label('password', 'Password')), key: 'password' };
    return { ...base, type: 'basic', fields: [username, password] };
  }
  const { inputConfig, leftOut } = pieceFields(isJsonObject(auth.props) ? auth.props : {}, '');
  const missing = leftOut.find(({ isRequired }) => isRequired);
  if (missing) return `${missing.path}: ${missing.message}`;
  const fields = (inputConfig.fields as Field[]).map(
    (field): Field => (field.type === 'text' && SECRET_KEY.test(field.key) ? { ...field, type: 'secret' } : field),
  );
  if (kind === 'OAUTH2') return oauth2Of(base, auth, fields);
  if (kind !== 'CUSTOM_AUTH') return `connections of type ${kind} are not supported`;
  return fields.length === 0 ? 'it has no fields' : { ...base, type: 'custom', fields };
}

function secretOf(label: string): Omit<Field, 'key'> {
  return { label, type: 'secret', required: true };
}

function oauth2Of(base: Pick<ConnectionType, 'connectionId' | 'name'>, auth: JsonObject, fields: Field[]) {
  const { authUrl, tokenUrl, scope, extra, prompt, grantType } = auth;
  if (grantType === 'client_credentials') return 'OAuth2 without a login in the browser is not supported';
  if (typeof authUrl !== 'string' || typeof tokenUrl !== 'string') return 'OAuth2 needs authUrl and tokenUrl';
  if (/[{}]/.test(authUrl + tokenUrl)) return 'addresses of OAuth2 that depend on the connection are not supported';
  const problem = oauth2AddressProblem(authUrl) ?? oauth2AddressProblem(tokenUrl);
  if (problem !== undefined) return problem;
  const authorization = new URL(authUrl);
  const parameters = isJsonObject(extra) ? Object.entries(extra) : [];
  if (typeof prompt === 'string' && prompt !== 'omit') parameters.push(['prompt', prompt]);
  for (const [name, value] of parameters) authorization.searchParams.set(name, String(value));
  const scopes = Array.isArray(scope) ? scope.join(' ') : '';
  return {
    ...{ ...base, type: 'oauth2' as const, fields },
    oauth2: {
      ...{ authorizationUrl: authorization.href, tokenUrl, allowedHosts: '' },
      ...(scopes === '' ? {} : { scopes }),
    },
  };
}
