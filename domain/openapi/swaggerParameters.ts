import { isJsonObject, type Json, type JsonObject, textOf } from '../json.ts';
import { ownMember, setKey } from '../ownMember.ts';
import { keysOf, pathTo } from '../place.ts';
import type { MovedPlaces } from './movedPlaces.ts';

export interface ConvertedParameters {
  parameters: Json[];
  requestBody?: JsonObject;
}

export interface GivenParameter<T extends Json = Json> {
  value: T;
  place: string;
}

const OF_PARAMETER = new Set(['name', 'in', 'required', 'description', 'collectionFormat', 'allowEmptyValue']);
const LIST_STYLES: Readonly<Record<string, string>> = { ssv: 'spaceDelimited', pipes: 'pipeDelimited' };
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** Makes a request body of the parameters in `body` and `formData`. `place`: of the operation or path. */
export function convertedParameters(
  { given, place, consumes }: { given: readonly GivenParameter[]; place: string; consumes: readonly string[] },
  shared: JsonObject,
  places: MovedPlaces,
): ConvertedParameters {
  const parameters: Json[] = [];
  for (const one of given.filter((each) => !isOfBody(each, shared))) {
    const to = pathTo(pathTo(place, 'parameters'), parameters.length);
    places.add(to, one.place);
    parameters.push(convertedParameter(one.value, { from: one.place, to }, places));
  }
  const ofBody = given.filter((each) => isOfBody(each, shared)).map((each) => resolved(each, shared));
  const body = ofBody.find(({ value }) => value.in === 'body');
  const bodyPlace = pathTo(place, 'requestBody');
  if (body) return { parameters, requestBody: plainBody(body, bodyPlace, consumes, places) };
  if (ofBody.length === 0) return { parameters };
  for (const one of [bodyPlace, pathTo(bodyPlace, 'content')]) places.add(one, pathTo(place, 'parameters'));
  return { parameters, requestBody: formBody(ofBody, bodyPlace, consumes, places) };
}

/** Whether it is a part of the request body in OpenAPI 3. */
export function isOfBody(given: GivenParameter, shared: JsonObject): boolean {
  const { value } = resolved(given, shared);
  return value.in === 'body' || value.in === 'formData';
}

function resolved({ value, place }: GivenParameter, shared: JsonObject): GivenParameter<JsonObject> {
  if (!isJsonObject(value)) return { value: {}, place };
  const { $ref: reference } = value;
  if (typeof reference !== 'string' || !reference.startsWith('#/parameters/')) return { value, place };
  const [, name = ''] = keysOf(reference);
  const referred = ownMember(shared, name);
  return isJsonObject(referred) ? { value: referred, place: pathTo('parameters', name) } : { value, place };
}

/** One in path, query or header. */
export function convertedParameter(given: Json, { from, to }: { from: string; to: string }, places: MovedPlaces): Json {
  if (!isJsonObject(given) || '$ref' in given) return given;
  const { name, in: at, required, description, collectionFormat: format = 'csv' } = given;
  places.add(pathTo(to, 'schema'), from);
  places.add(pathTo(to, 'style'), pathTo(from, 'collectionFormat'));
  const parameter: JsonObject = { schema: schemaOf(given), ...listStyle(given.type, textOf(format)) };
  for (const [key, member] of Object.entries({ name, in: at, required, description })) {
    if (member !== undefined) parameter[key] = member;
  }
  return parameter;
}

/** `tsv` has no style in OpenAPI 3, and lists in a path or header have only one. The readers refuse the others. */
function listStyle(type: Json | undefined, format: string): JsonObject {
  if (type !== 'array' || format === 'csv') return { explode: false };
  if (format === 'multi') return { explode: true };
  return { style: ownMember(LIST_STYLES, format) ?? format, explode: false };
}

function schemaOf(parameter: JsonObject): JsonObject {
  if (parameter.type === 'file') return { type: 'string', format: 'binary' };
  return Object.fromEntries(Object.entries(parameter).filter(([key]) => !OF_PARAMETER.has(key)));
}

function plainBody(
  { value, place }: GivenParameter<JsonObject>,
  bodyPlace: string,
  consumes: readonly string[],
  places: MovedPlaces,
): JsonObject {
  for (const one of [bodyPlace, pathTo(bodyPlace, 'content')]) places.add(one, place);
  const types = consumes.length === 0 ? ['application/json'] : consumes;
  const content: JsonObject = {};
  for (const type of types) {
    setKey(content, type, { schema: value.schema ?? {} });
    places.add(pathTo(pathTo(pathTo(bodyPlace, 'content'), type), 'schema'), pathTo(place, 'schema'));
  }
  return { content, ...(value.required === undefined ? {} : { required: value.required }) };
}

function formBody(
  form: readonly GivenParameter<JsonObject>[],
  bodyPlace: string,
  consumes: readonly string[],
  places: MovedPlaces,
): JsonObject {
  const hasFile = form.some(({ value }) => value.type === 'file');
  const type = hasFile || (consumes.includes(MULTIPART) && !consumes.includes(FORM)) ? MULTIPART : FORM;
  const properties: JsonObject = {};
  const encoding: JsonObject = {};
  const schemaPlace = pathTo(pathTo(pathTo(bodyPlace, 'content'), type), 'schema');
  for (const { value, place } of form) {
    const name = textOf(value.name);
    // The parameters of the operation are before those of its path.
    if (Object.hasOwn(properties, name)) continue;
    const { description, collectionFormat = 'csv' } = value;
    setKey(properties, name, { ...schemaOf(value), ...(description === undefined ? {} : { description }) });
    if (value.type === 'array')
      setKey(encoding, name, { style: 'form', ...listStyle('array', textOf(collectionFormat)) });
    places.add(pathTo(pathTo(schemaPlace, 'properties'), name), place);
  }
  const required = form.filter(({ value }) => value.required === true).map(({ value }) => textOf(value.name));
  const schema: JsonObject = { type: 'object', properties, required };
  return { content: { [type]: { schema, encoding } }, required: required.length > 0 };
}
