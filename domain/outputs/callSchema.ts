import type { CelNode } from '../expression/celNode.ts';
import type { CelFunction } from '../expression/functions/celFunction.ts';
import {
  elementOf,
  FLAG,
  kindOf,
  listOf,
  NUMBER,
  objectOf,
  oneOf,
  SPAN,
  TEXT,
  TIME,
  UNKNOWN,
  type ValueSchema,
} from './valueSchema.ts';

export interface CallReader {
  of(node: CelNode): ValueSchema;
  ofOptional(node: CelNode): ValueSchema;
  within(node: CelNode, variable: string, element: ValueSchema): ValueSchema;
  returned: CelFunction['returns'] | undefined;
}

/** Returns the schema of a call's result; its receiver comes first. */
type Read = (given: CelNode[], reader: CallReader) => ValueSchema;

const argument: Read = ([first], { of }) => (first === undefined ? UNKNOWN : of(first));

/** A part of a list, in any order, has the same elements; a text stays a text. */
const same: Read = (given, reader) => {
  const schema = argument(given, reader);
  return kindOf(schema) === 'list' ? listOf(elementOf(schema)) : kindOf(schema) === 'text' ? TEXT : UNKNOWN;
};

const element: Read = (given, reader) => elementOf(argument(given, reader));

const extreme: Read = (given, reader) =>
  given.length === 1 ? element(given, reader) : oneOf(given.map((each) => reader.of(each)));

const mapped: Read = (given, reader) => {
  const [list, variable] = given;
  const body = given.at(-1);
  if (list === undefined || variable?.op !== 'id' || body === undefined || given.length < 3) return UNKNOWN;
  return listOf(reader.within(body, variable.args as string, elementOf(reader.of(list))));
};

const RESULTS: Readonly<Record<string, Read>> = {
  ...constant(FLAG, ['has', 'exists', 'all', 'exists_one', 'bool', 'hasValue']),
  ...constant(FLAG, ['matches', 'contains', 'startsWith', 'endsWith']),
  ...constant(NUMBER, ['size', 'int', 'uint', 'double', 'sum', 'avg', 'round', 'floor', 'ceil', 'abs']),
  ...constant(TEXT, ['string']),
  ...constant(TIME, ['timestamp']),
  ...constant(SPAN, ['duration']),
  ...constant(listOf(TEXT), ['split', 'keys']),
  map: mapped,
  filter: same,
  sort: same,
  sortBy: same,
  reverse: same,
  distinct: same,
  slice: same,
  first: element,
  last: element,
  min: extreme,
  max: extreme,
  dyn: argument,
  flatten: (given, reader) => {
    const inner = element(given, reader);
    return listOf(kindOf(inner) === 'list' ? elementOf(inner) : UNKNOWN);
  },
  groupBy: (given, reader) => ({ type: 'object', additionalProperties: same(given, reader) }),
  entries: () => listOf(objectOf({ key: TEXT, value: UNKNOWN })),
  value: ([optional], { ofOptional }) => (optional === undefined ? UNKNOWN : ofOptional(optional)),
  orValue: ([optional, otherwise], { of, ofOptional }) =>
    optional === undefined || otherwise === undefined ? UNKNOWN : oneOf([ofOptional(optional), of(otherwise)]),
};

const RETURNED: Readonly<Record<CelFunction['returns'], ValueSchema>> = {
  string: TEXT,
  bool: FLAG,
  int: NUMBER,
  list: listOf(UNKNOWN),
  map: { type: 'object' },
  'google.protobuf.Timestamp': TIME,
  'google.protobuf.Duration': SPAN,
  dyn: UNKNOWN,
};

export function callSchema(name: string, given: CelNode[], reader: CallReader): ValueSchema {
  const read = Object.hasOwn(RESULTS, name) ? RESULTS[name] : undefined;
  if (read) return read(given, reader);
  return reader.returned === undefined ? UNKNOWN : RETURNED[reader.returned];
}

function constant(schema: ValueSchema, names: readonly string[]): Record<string, Read> {
  return Object.fromEntries(names.map((name) => [name, () => schema]));
}
