import { canonicalFields, checkFields } from '../fieldDeclaration.ts';
import { kindOfJson } from '../fieldType.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
import { memberIfPresent } from '../workflow/nodeShape.ts';
import type { Problems } from '../workflow/problems.ts';
import { Shape } from '../workflow/shape.ts';
import type { ConnectionType } from './manifest.ts';
import { isTokenKey, OAUTH2_GRANTS, oauth2AddressProblem } from './oauth2.ts';

const MAX_TYPES = 20;
const TYPE_ID = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const TYPES = ['apiKey', 'basic', 'oauth2', 'custom'] as const;

/** Also in the app's own fields, since a person may have a client at the provider. */
const OF_CLIENT: JsonObject[] = [
  { key: 'clientId', label: 'Client id', type: 'text', required: true },
  { key: 'clientSecret', label: 'Client secret', type: 'secret' },
  { key: 'scopes', label: 'Scopes', type: 'text', help: 'Names separated by spaces. Default: those of the app.' },
];

/** The only grant of a type without an address for authorizations. */
const CLIENT_GRANT: JsonObject = {
  ...{ key: 'grant', label: 'Grant', type: 'select', default: 'clientCredentials' },
  options: OAUTH2_GRANTS.slice(1),
};

export function readConnectionTypes(app: Shape, problems: Problems): ConnectionType[] {
  const list = app.list('connectionTypes') ?? [];
  if (list.length > MAX_TYPES) {
    app.problem('connectionTypes', `${list.length} types, at most ${MAX_TYPES} are allowed`);
    return [];
  }
  const places = new Map<string, string>();
  return list.flatMap((given, index) => {
    const path = pathTo('connectionTypes', index);
    if (isJsonObject(given)) return readType(given, path, problems, places);
    problems.add(path, `expected a type of connections, got ${kindOfJson(given)}`);
    return [];
  });
}

function readType(given: JsonObject, path: string, problems: Problems, places: Map<string, string>): ConnectionType[] {
  const shape = new Shape(given, path, problems);
  const connectionId = readId(shape, path, places);
  if (!shape.has('type')) shape.problem('type', `required: expected one of ${TYPES.join(', ')}`);
  const type = shape.oneOf('type', TYPES);
  const name = shape.text('name', 200) ?? connectionId ?? '';
  const oauth2 = type === 'oauth2' ? readOAuth2(shape, problems) : undefined;
  const fields = readFields(shape, problems, type, oauth2);
  shape.refuseOthers('a type of connections');
  if (connectionId === undefined || type === undefined) return [];
  return [{ connectionId, name, type, fields, ...memberIfPresent('oauth2', oauth2) }];
}

function readId(shape: Shape, path: string, places: Map<string, string>): string | undefined {
  if (!shape.has('connectionId')) shape.problem('connectionId', 'required: expected the id of the type in the app');
  const id = shape.text('connectionId', 64);
  if (id === undefined) return undefined;
  if (!TYPE_ID.test(id)) {
    shape.problem('connectionId', 'expected a letter, then up to 63 letters, digits, _ or -');
    return undefined;
  }
  const first = places.get(id);
  if (first === undefined) places.set(id, path);
  else shape.problem('connectionId', `the id ${id} is already used at ${first}`);
  return id;
}

function readFields(
  shape: Shape,
  problems: Problems,
  type: ConnectionType['type'] | undefined,
  oauth2: ConnectionType['oauth2'],
): ConnectionType['fields'] {
  const isOAuth2 = type === 'oauth2';
  const given = shape.take('fields') ?? [];
  const found = checkFields(given, shape.place('fields'));
  for (const problem of found) problems.report(problem);
  if (found.length > 0) return [];
  const fields = canonicalFields(given as JsonObject[]);
  if (type !== undefined && !isOAuth2 && fields.length === 0)
    shape.problem('fields', 'required: expected at least one field');
  if (!isOAuth2) return fields;
  for (const [index, { key }] of fields.entries()) {
    const place = pathTo(pathTo(shape.place('fields'), index), 'key');
    if (isTokenKey(key)) problems.add(place, `${key} is reserved for the token`);
  }
  const own = new Set(fields.map(({ key }) => key));
  const ofClient = oauth2 && oauth2.authorizationUrl === undefined ? [CLIENT_GRANT, ...OF_CLIENT] : OF_CLIENT;
  return [...canonicalFields(ofClient).filter(({ key }) => !own.has(key)), ...fields];
}

function readOAuth2(type: Shape, problems: Problems): ConnectionType['oauth2'] {
  const given = type.object('oauth2');
  if (given === undefined) {
    if (!type.has('oauth2'))
      type.problem(
        'oauth2',
        'required for oauth2: expected {tokenUrl}, and authorizationUrl unless the client acts for itself',
      );
    return undefined;
  }
  const shape = new Shape(given, type.place('oauth2'), problems);
  const readAddress = (member: string) => {
    const address = shape.text(member, 2000);
    const problem = oauth2AddressProblem(address);
    if (problem !== undefined && (address !== undefined || !shape.has(member))) shape.problem(member, problem);
    return address;
  };
  const authorizationUrl = shape.has('authorizationUrl') ? readAddress('authorizationUrl') : undefined;
  const tokenUrl = readAddress('tokenUrl') ?? '';
  const scopes = shape.text('scopes', 2000);
  // Empty is the default, which an export contains.
  const hosts = given.allowedHosts === '' ? shape.take('allowedHosts') : shape.text('allowedHosts', 2000);
  const allowedHosts = typeof hosts === 'string' ? hosts : '';
  shape.refuseOthers('the settings of OAuth2');
  return {
    ...memberIfPresent('authorizationUrl', authorizationUrl),
    tokenUrl,
    ...memberIfPresent('scopes', scopes),
    allowedHosts,
  };
}
