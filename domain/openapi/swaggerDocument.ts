import { isJsonObject, type Json, type JsonObject, textOf } from '../json.ts';
import { ownMember, setKey } from '../ownMember.ts';
import { pathTo } from '../place.ts';
import { MovedPlaces } from './movedPlaces.ts';
import { OPERATION_METHODS } from './operations.ts';
import { convertedParameter, convertedParameters, type GivenParameter, isOfBody } from './swaggerParameters.ts';

const FLOWS: Readonly<Record<string, string>> = { accessCode: 'authorizationCode', application: 'clientCredentials' };

/**
 * Converts the parts of a Swagger 2.0 document that differ in OpenAPI 3. Definitions, shared parameters and responses
 * stay at their places, so references and their problems are those of the author. Members of a wrong kind are unchanged:
 * the readers of OpenAPI 3 report them.
 */
export function convertedSwagger(given: JsonObject): { document: JsonObject; places: MovedPlaces } {
  const places = new MovedPlaces();
  places.add('servers', 'host');
  places.add('servers[0].url', 'host');
  places.add('components.securitySchemes', 'securityDefinitions');
  const { info, security, definitions, host, basePath, schemes, securityDefinitions } = given;
  const shared = isJsonObject(given.parameters) ? given.parameters : {};
  const document: JsonObject = {
    openapi: '3.0.4',
    servers: [{ url: addressOf(host, basePath, schemes) }],
    components: { securitySchemes: securitySchemes(securityDefinitions, places) },
    parameters: mapped(shared, (one, name) => {
      const place = pathTo('parameters', name);
      return convertedParameter(one, { from: place, to: place }, places);
    }),
    responses: mapped(given.responses, (one, name) =>
      convertedResponse(one, pathTo('responses', name), textsOf(given.produces), places),
    ),
    paths: mapped(given.paths, (item, path) => convertedItem(given, item, pathTo('paths', path), shared, places)),
  };
  for (const [name, member] of Object.entries({ info, security, definitions })) {
    if (member !== undefined) document[name] = member;
  }
  return { document, places };
}

/** The address is relative if the document has no host, like one that is served by the service itself. */
function addressOf(host: Json | undefined, basePath: Json | undefined, schemes: Json | undefined): string {
  const path = typeof basePath === 'string' ? basePath.replace(/^(?!\/)/, '/') : '';
  return typeof host === 'string' ? `${schemeOf(schemes)}://${host}${path}` : path;
}

function schemeOf(schemes: Json | undefined): string {
  const given = textsOf(schemes);
  const [first = 'https'] = given;
  return ['https', 'http'].find((scheme) => given.includes(scheme)) ?? first;
}

function convertedItem(document: JsonObject, item: Json, place: string, shared: JsonObject, places: MovedPlaces): Json {
  if (!isJsonObject(item)) return item;
  const { parameters: _, ...converted } = item;
  const given = parametersOf(item, place);
  const ofBodies = given.filter((one) => isOfBody(one, shared));
  const others = given.filter((one) => !isOfBody(one, shared));
  if (others.length > 0)
    converted.parameters = convertedParameters({ given: others, place, consumes: [] }, shared, places).parameters;
  for (const method of OPERATION_METHODS) {
    const operation = item[method];
    if (!isJsonObject(operation)) continue;
    converted[method] = convertedOperation(
      document,
      { operation, place: pathTo(place, method), ofBodies },
      shared,
      places,
    );
  }
  return converted;
}

interface GivenOperation {
  operation: JsonObject;
  place: string;
  /** The parameters of the path that are parts of the body. */
  ofBodies: readonly GivenParameter[];
}

function convertedOperation(
  document: JsonObject,
  { operation, place, ofBodies }: GivenOperation,
  shared: JsonObject,
  places: MovedPlaces,
): JsonObject {
  const { consumes, produces, schemes, parameters, responses, ...converted } = operation;
  const given = [...parametersOf(operation, place), ...ofBodies];
  const types = textsOf(consumes ?? document.consumes);
  Object.assign(converted, convertedParameters({ given, place, consumes: types }, shared, places));
  if (isJsonObject(responses)) {
    const answers = textsOf(produces ?? document.produces);
    converted.responses = mapped(responses, (one, status) =>
      convertedResponse(one, pathTo(pathTo(place, 'responses'), status), answers, places),
    );
  }
  if (schemes !== undefined && schemeOf(schemes) !== schemeOf(document.schemes)) {
    converted.servers = [{ url: addressOf(document.host, document.basePath, schemes) }];
    places.add(pathTo(place, 'servers'), pathTo(place, 'schemes'));
  }
  return converted;
}

function parametersOf({ parameters }: JsonObject, place: string): GivenParameter[] {
  const listPlace = pathTo(place, 'parameters');
  return Array.isArray(parameters)
    ? parameters.map((value, index) => ({ value, place: pathTo(listPlace, index) }))
    : [];
}

function convertedResponse(given: Json, place: string, produces: readonly string[], places: MovedPlaces): Json {
  if (!isJsonObject(given) || given.schema === undefined) return given;
  const content: JsonObject = {};
  for (const type of produces.length === 0 ? ['application/json'] : produces) {
    setKey(content, type, { schema: given.schema });
    places.add(pathTo(pathTo(pathTo(place, 'content'), type), 'schema'), pathTo(place, 'schema'));
  }
  return { content };
}

function securitySchemes(given: Json | undefined, places: MovedPlaces): JsonObject {
  return mapped(given, (scheme, name) => {
    if (!isJsonObject(scheme)) return scheme;
    if (scheme.type === 'basic') return { type: 'http', scheme: 'basic' };
    if (scheme.type !== 'oauth2') return scheme;
    const { flow, type, ...settings } = scheme;
    const flows = pathTo(pathTo('components.securitySchemes', name), 'flows');
    places.add(flows, pathTo(pathTo('securityDefinitions', name), 'flow'));
    return { type, flows: { [ownMember(FLOWS, textOf(flow)) ?? textOf(flow)]: settings } };
  });
}

function mapped(given: Json | undefined, convert: (member: Json, name: string) => Json): JsonObject {
  const converted: JsonObject = {};
  if (!isJsonObject(given)) return converted;
  for (const [name, member] of Object.entries(given)) setKey(converted, name, convert(member, name));
  return converted;
}

function textsOf(given: Json | undefined): string[] {
  return Array.isArray(given) ? given.filter((each) => typeof each === 'string') : [];
}
