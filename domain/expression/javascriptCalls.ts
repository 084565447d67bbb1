type Said = (receiver: string, args: readonly string[]) => string;

const plain =
  (name: string): Said =>
  (_, args) =>
    `${name}(${args.join(', ')})`;
const over =
  (name: string): Said =>
  (list) =>
    `${name}(${list})`;
const arrow =
  (name: string): Said =>
  (list) =>
    `${list}.${name}(x, …)`;

const FUNCTIONS: Readonly<Record<string, Said>> = {
  parseInt: (_, [value = 'x']) => `int(${value})`,
  parseFloat: (_, [value = 'x']) => `double(${value})`,
  Number: plain('double'),
  String: plain('string'),
  str: plain('string'),
  Boolean: plain('bool'),
  BigInt: plain('int'),
  Date: plain('timestamp'),
  encodeURIComponent: plain('urlEncode'),
  btoa: plain('base64'),
  atob: plain('parseBase64'),
  len: plain('size'),
  isNaN: () => 'a comparison: expressions have no NaN',
};

const STATIC: Readonly<Record<string, Readonly<Record<string, Said>>>> = {
  JSON: { stringify: (_, [value = 'x']) => `json(${value})`, parse: plain('parseJson') },
  Object: {
    keys: plain('keys'),
    values: plain('values'),
    entries: plain('entries'),
    assign: plain('merge'),
    fromEntries: () => 'a map, or groupBy()',
    hasOwn: (_, [map = 'map', key = 'key']) => `${key} in ${map}`,
  },
  Math: {
    ...Object.fromEntries(['round', 'floor', 'ceil', 'abs', 'min', 'max'].map((name) => [name, plain(name)])),
    trunc: plain('int'),
    random: () => 'the action crypto.uuid: expressions are not random',
  },
  Date: { now: () => 'now', parse: plain('timestamp'), UTC: () => 'timestamp("2026-01-31T00:00:00Z")' },
  Array: { isArray: (_, [value = 'x']) => `type(${value}) == list`, from: (_, [value = 'x']) => value },
  Number: {
    parseInt: plain('int'),
    parseFloat: plain('double'),
    isInteger: (_, [value = 'x']) => `floor(${value}) == ${value}`,
  },
  String: { raw: (_, [value = 'x']) => value },
};

const METHODS: Readonly<Record<string, Said>> = {
  includes: (list, [part = 'x']) => `${list}.contains(${part})`,
  toUpperCase: over('upper'),
  toLocaleUpperCase: over('upper'),
  toLowerCase: over('lower'),
  toLocaleLowerCase: over('lower'),
  trimStart: over('trim'),
  trimEnd: over('trim'),
  replaceAll: (text, args) => `replace(${[text, ...args].join(', ')})`,
  charAt: (text, [at = 'n']) => `substring(${text}, ${at}, ${at} + 1)`,
  substr: (text, [at = 'n']) => `substring(${text}, ${at})`,
  concat: (list, [more = 'more']) => `${list} + ${more}`,
  push: (list, [item = 'x']) => `${list} + [${item}]`,
  unshift: (list, [item = 'x']) => `[${item}] + ${list}`,
  pop: over('last'),
  shift: over('first'),
  at: (list, [at = 'n']) => (at === '-1' ? `last(${list})` : `${list}[${at}]`),
  length: over('size'),
  some: arrow('exists'),
  every: arrow('all'),
  find: (list) => `first(${list}.filter(x, …))`,
  findLast: (list) => `last(${list}.filter(x, …))`,
  findIndex: (list) => `${list}.map(x, …).indexOf(true)`,
  forEach: arrow('map'),
  reduce: (list) => `sum(${list}.map(x, …))`,
  flatMap: (list) => `flatten(${list}.map(x, …))`,
  flat: over('flatten'),
  toSorted: over('sort'),
  toReversed: over('reverse'),
  toString: over('string'),
  toFixed: (number, [digits = '0']) => `round(${number}, ${digits})`,
  toISOString: over('string'),
  getTime: (time) => `${time} - timestamp(0)`,
  valueOf: (value: string) => value,
  match: (text) => `matches(${text}, "pattern")`,
  test: (_, [text = 'text']) => `matches(${text}, "pattern")`,
  search: (text) => `matches(${text}, "pattern")`,
  hasOwnProperty: (map: string, [key = 'key']: readonly string[]) => `${key} in ${map}`,
  localeCompare: (text, [other = 'other']) => `${text} < ${other}`,
};

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

export function isJavascriptObject(name: string): boolean {
  return Object.hasOwn(STATIC, name);
}

export function insteadOfCall(name: string, args: readonly string[]): string | undefined {
  return own(FUNCTIONS, name)?.('', args);
}

export function insteadOfMethod(name: string, receiver: string, args: readonly string[]): string | undefined {
  const known = own(STATIC, receiver);
  if (known !== undefined) return own(known, name)?.('', args);
  return own(METHODS, name)?.(receiver, args);
}

/** Suggests a call without `=>`, depending on the method: `map(x, …)` with the body of the arrow function. */
export function insteadOfArrow(method: string, variable: string, body: string): string {
  const inner = `${variable}, ${body}`;
  switch (method) {
    case 'some':
      return `exists(${inner})`;
    case 'every':
      return `all(${inner})`;
    case 'find':
      return `filter(${inner}).first()`;
    case 'findLast':
      return `filter(${inner}).last()`;
    case 'findIndex':
      return `map(${inner}).indexOf(true)`;
    case 'flatMap':
      return `map(${inner}).flatten()`;
    case 'forEach':
      return `map(${inner})`;
    case 'sort':
    case 'toSorted':
      return 'sortBy(x, key of x)';
    case 'reduce':
      return 'map(x, …).sum()';
    default:
      return `${method}(${inner})`;
  }
}
