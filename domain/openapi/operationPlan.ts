import { isJsonObject, type Json, type JsonObject, textOf } from '../json.ts';
import { ownMember } from '../ownMember.ts';
import { pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import { CONNECTION_HEADERS, HEADER_NAME } from '../workflow/headerRules.ts';
import { isJsonType } from './answerSchema.ts';
import { FreeNames } from './freeNames.ts';
import type { FoundOperation } from './operations.ts';
import type { References } from './references.ts';
import { type PlacedSchema, type SchemaShape, shapeOf } from './schemaShape.ts';

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

/** One input of an action: a parameter, a member of the body, or the body. */
export interface PlannedField {
  /** The name of the parameter or member, with `_` for characters that a field's key cannot have. */
  key: string;
  name: string;
  in: ParameterPlace | 'body';
  isRequired: boolean;
  shape: SchemaShape;
  style: Style;
}

export interface Style {
  style: string;
  explode: boolean;
  /** Sent as JSON text instead of a style. */
  isJson: boolean;
  /** The content type of the part in `multipart/form-data`; the value determines it if absent. */
  contentType?: string | undefined;
}

export interface PlannedBody {
  contentType: string;
  kind: 'json' | 'form' | 'multipart' | 'text';
  isRequired: boolean;
  /** True if the field `body` is the body itself. Otherwise its members are fields. */
  isWhole: boolean;
}

export interface OperationPlan {
  fields: PlannedField[];
  body: PlannedBody | undefined;
  /** The name of the header, if the operation declares Idempotency-Key. */
  idempotencyHeader: string | undefined;
}

/** More fields than this make one field of the body. */
const MAX_FIELDS = 200;
const MAX_KEY = 64;
/** Without characters that could end the header of a part. */
const PART_TYPE = /^[\w.+-]+\/[\w.+-]+(; ?[\w-]+=[\w.-]+)*$/;
const TEXT_TYPE = /^text\/|^application\/([^;]*\+)?(xml|yaml|x-yaml|graphql|sql|x-ndjson)\b/i;
const STYLES: Readonly<Record<ParameterPlace, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};
/** Documents must not declare these as parameters; they follow from the body and the connection. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...CONNECTION_HEADERS,
  ...['accept', 'content-type', 'authorization', 'cookie', 'host', 'expect'],
]);

/** The same for each reading of the document, so that the executor finds the parameters of the manifest's fields. */
export function planOf(
  found: FoundOperation,
  references: References,
  leaveOut: (problem: ProblemDetail) => void,
): OperationPlan {
  const taken = fieldKeys();
  const parameters = parametersOf(found, references);
  const isKey = ({ value }: ReadParameter) => value.in === 'header' && /^idempotency-key$/i.test(textOf(value.name));
  const key = parameters.find(isKey);
  const fields = parameters
    .filter((one) => !isKey(one))
    .flatMap((one) => parameterField(one, references, taken, leaveOut) ?? []);
  const idempotencyHeader = key && textOf(key.value.name);
  const read = bodyOf(found, references, leaveOut);
  if (!read) return { fields, body: undefined, idempotencyHeader };
  const members = read.members.slice(0, MAX_FIELDS + 1);
  const isWhole = members.length === 0 || members.length + fields.length > MAX_FIELDS;
  const body: PlannedBody = { ...read.body, isWhole };
  const bodyFields = isWhole
    ? [wholeBody(read.shape, read.body.isRequired, taken)]
    : members.map((member) => memberField(member, read, taken));
  return { fields: [...fields, ...bodyFields], body, idempotencyHeader };
}

interface ReadParameter {
  value: JsonObject;
  place: string;
}

/** Those of the operation replace those of the path with the same name and place. */
function parametersOf({ operation, place, item, itemPlace }: FoundOperation, references: References): ReadParameter[] {
  const all = new Map<string, ReadParameter>();
  for (const [list, at] of [
    [item.parameters, itemPlace],
    [operation.parameters, place],
  ] as const) {
    if (!Array.isArray(list)) continue;
    for (const [index, given] of list.entries()) {
      const parameter = references.follow(given, pathTo(pathTo(at, 'parameters'), index));
      if (parameter) all.set(`${textOf(parameter.value.in)} ${textOf(parameter.value.name)}`, parameter);
    }
  }
  const order = Object.keys(STYLES);
  return [...all.values()].sort((a, b) => order.indexOf(textOf(a.value.in)) - order.indexOf(textOf(b.value.in)));
}

function parameterField(
  { value, place }: ReadParameter,
  references: References,
  taken: FreeNames,
  leaveOut: (problem: ProblemDetail) => void,
): PlannedField | undefined {
  const { name, in: at, required, description } = value;
  if (typeof name !== 'string' || !isParameterPlace(at)) {
    leaveOut({ path: place, message: 'expected a parameter with a name, in path, query, header or cookie' });
    return undefined;
  }
  if (at === 'header' && OWN_HEADERS.has(name.toLowerCase())) return undefined;
  if (at === 'header' && !HEADER_NAME.test(name)) {
    leaveOut({ path: pathTo(place, 'name'), message: 'expected the name of a header' });
    return undefined;
  }
  const content = isJsonObject(value.content) ? Object.entries(value.content)[0] : undefined;
  const media = content && isJsonObject(content[1]) ? content[1] : {};
  const placed: PlacedSchema = content
    ? { schema: media.schema, place: pathTo(pathTo(pathTo(place, 'content'), content[0]), 'schema') }
    : { schema: value.schema, place: pathTo(place, 'schema') };
  const read = shapeOf(references, placed);
  const shape = typeof description === 'string' ? withDescription(read, description) : read;
  const [preset = 'form'] = STYLES[at];
  const style = typeof value.style === 'string' ? value.style : preset;
  if (!STYLES[at].includes(style)) {
    leaveOut({ path: pathTo(place, 'style'), message: `expected one of ${STYLES[at].join(', ')}` });
    return undefined;
  }
  const explode = typeof value.explode === 'boolean' ? value.explode : style === 'form' || style === 'deepObject';
  return {
    ...{ key: freeKey(name, at, taken), name, in: at, shape },
    isRequired: required === true || at === 'path',
    style: { style, explode, isJson: content !== undefined },
  };
}

function withDescription(shape: SchemaShape, description: string): SchemaShape {
  return Object.assign(Object.create(shape) as SchemaShape, { description });
}

interface ReadBody {
  body: Omit<PlannedBody, 'isWhole'>;
  mayBeAbsent: boolean;
  shape: SchemaShape;
  members: { name: string; shape: SchemaShape; style: Style }[];
}

function bodyOf(
  { operation, place }: FoundOperation,
  references: References,
  leaveOut: (problem: ProblemDetail) => void,
): ReadBody | undefined {
  if (operation.requestBody === undefined) return undefined;
  const found = references.follow(operation.requestBody, pathTo(place, 'requestBody'));
  if (!found) return undefined;
  const contentPlace = pathTo(found.place, 'content');
  const content = isJsonObject(found.value.content) ? found.value.content : {};
  const type = preferredType(Object.keys(content));
  const isRequired = found.value.required === true;
  if (type === undefined) {
    const types = Object.keys(content).join(', ') || 'no type';
    leaveOut({ path: contentPlace, message: `the body (${types}) cannot be sent: expected JSON, a form or text` });
    return undefined;
  }
  const media = isJsonObject(content[type.name]) ? (content[type.name] as JsonObject) : {};
  const shape = shapeOf(references, { schema: media.schema, place: pathTo(pathTo(contentPlace, type.name), 'schema') });
  const body = { contentType: type.name, kind: type.kind, isRequired };
  const mayBeAbsent = found.value.required === false;
  if (type.kind === 'text' || shape.type !== 'object' || shape.isOpen) return { body, mayBeAbsent, shape, members: [] };
  const encodings = isJsonObject(media.encoding) ? media.encoding : {};
  const members = [...shape.properties].flatMap(([name, schema]): ReadBody['members'] => {
    const member = shapeOf(references, schema);
    if (member.isReadOnly) return [];
    const encoding = ownMember(encodings, name);
    if (type.kind === 'json' || !isFile(member, encoding, references)) {
      return [{ name, shape: member, style: formStyle(encoding, member) }];
    }
    leaveOut({ path: schema.place, message: `${name} is a file, which an action cannot send` });
    return [];
  });
  // A form of files alone has nothing to send.
  if (members.length === 0 && type.kind !== 'json' && shape.properties.size > 0) return undefined;
  return { body, mayBeAbsent, shape, members };
}

/** Also a list of files. */
function isFile({ isBinary, items, type }: SchemaShape, encoding: Json | undefined, references: References): boolean {
  if (isBinary) return true;
  if (type === 'array') return items !== undefined && shapeOf(references, items).isBinary;
  const given = contentTypesOf(encoding);
  return given.length > 0 && textType(given) === undefined;
}

function contentTypesOf(encoding: Json | undefined): string[] {
  const { contentType } = isJsonObject(encoding) ? encoding : {};
  return typeof contentType === 'string' ? contentType.split(',').map((one) => one.trim()) : [];
}

function textType(types: readonly string[]): string | undefined {
  return types.find((one) => PART_TYPE.test(one) && (isJsonType(one) || TEXT_TYPE.test(one)));
}

/** In a form, an object is JSON text unless the document says otherwise. */
function formStyle(encoding: Json | undefined, shape: SchemaShape): Style {
  const { style, explode } = isJsonObject(encoding) ? encoding : {};
  const named = typeof style === 'string' && STYLES.query.includes(style) ? style : undefined;
  const contentType = textType(contentTypesOf(encoding));
  const isJson =
    named === undefined &&
    ((contentType !== undefined && isJsonType(contentType)) || shape.type === 'object' || shape.type === undefined);
  return {
    ...{ style: named ?? 'form', explode: typeof explode === 'boolean' ? explode : true, isJson },
    ...(contentType === undefined ? {} : { contentType }),
  };
}

function preferredType(types: readonly string[]): { name: string; kind: PlannedBody['kind'] } | undefined {
  const kinds: [PlannedBody['kind'], RegExp][] = [
    ['json', /^application\/json *(;|$)/i],
    ['json', /^[^;]*\+json\b|^\*\/\*$|^application\/\*$/i],
    ['form', /^application\/x-www-form-urlencoded\b/i],
    ['multipart', /^multipart\/form-data\b/i],
    ['text', TEXT_TYPE],
  ];
  for (const [kind, pattern] of kinds) {
    const name = types.find((one) => pattern.test(one));
    if (name !== undefined) return { name, kind };
  }
  return undefined;
}

export const PLAIN_STYLE: Style = { style: 'form', explode: true, isJson: true };

export function wholeBody(shape: SchemaShape, isRequired: boolean, taken: FreeNames): PlannedField {
  return { key: freeKey('body', 'body', taken), name: 'body', in: 'body', isRequired, shape, style: PLAIN_STYLE };
}

function memberField(
  { name, shape, style }: ReadBody['members'][number],
  read: ReadBody,
  taken: FreeNames,
): PlannedField {
  // Most documents that do not say whether a body is required mean that it is.
  const isRequired = !read.mayBeAbsent && read.shape.required.has(name);
  return { key: freeKey(name, 'body', taken), name, in: 'body', isRequired, shape, style };
}

function isParameterPlace(value: Json | undefined): value is ParameterPlace {
  return typeof value === 'string' && Object.hasOwn(STYLES, value);
}

export function fieldKeys(): FreeNames {
  return new FreeNames(MAX_KEY);
}

export function freeKey(name: string, at: PlannedField['in'], taken: FreeNames): string {
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+(?=[A-Za-z])|_+$/g, '');
  const key = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
  return taken.take(taken.has(key) ? `${key}_${at}` : key);
}
