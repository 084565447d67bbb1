const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'end';

/** Lines and columns from 1. JSON.parse rarely names the place, and quotes the text, which may contain a secret. */
export function jsonErrorAt(text: string): { line: number; column: number; found: string } {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    at = endOf(SPACE, text, at);
    const end = tokenEnd(text, at);
    const next: Expected | undefined = end === undefined ? undefined : follow(text.charAt(at), expected, open);
    if (end === undefined || next === undefined) {
      const before = text.slice(0, at).split('\n');
      return {
        line: before.length,
        column: (before.at(-1)?.length ?? 0) + 1,
        found: at === text.length ? 'unexpected end' : 'unexpected character',
      };
    }
    expected = next;
    at = end;
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function tokenEnd(text: string, at: number): number | undefined {
  const first = text.charAt(at);
  if (first !== '' && '{}[]:,'.includes(first)) return at + 1;
  if (first === '"') return stringEnd(text, at + 1);
  const end = endOf(SCALAR, text, at);
  return end === at ? undefined : end;
}

function stringEnd(text: string, start: number): number | undefined {
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') return at + 1;
    if (character < ' ') return undefined;
    const next = character === '\\' ? endOf(ESCAPE, text, at) : at + 1;
    if (next === at) return undefined;
    at = next;
  }
  return undefined;
}

const CLOSES = { '}': { opener: '{', orEnd: 'keyOrEnd' }, ']': { opener: '[', orEnd: 'valueOrEnd' } } as const;
const isOneOf = (expected: Expected, ...those: Expected[]) => those.includes(expected);

/** Returns what may follow a token, by its first character; undefined if the token is not allowed here. */
function follow(first: string, expected: Expected, open: ('{' | '[')[]): Expected | undefined {
  const inside = open.at(-1);
  switch (first) {
    case '{':
    case '[':
      if (!isOneOf(expected, 'value', 'valueOrEnd')) return undefined;
      open.push(first);
      return first === '{' ? 'keyOrEnd' : 'valueOrEnd';
    case '}':
    case ']': {
      const { opener, orEnd } = CLOSES[first];
      if (inside !== opener || !isOneOf(expected, 'commaOrEnd', orEnd)) return undefined;
      open.pop();
      return afterValue(open);
    }
    case ',':
      if (expected !== 'commaOrEnd') return undefined;
      return inside === '{' ? 'key' : 'value';
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    default:
      if (first === '"' && isOneOf(expected, 'key', 'keyOrEnd')) return 'colon';
      return isOneOf(expected, 'value', 'valueOrEnd') ? afterValue(open) : undefined;
  }
}

function afterValue(open: readonly string[]): Expected {
  return open.length > 0 ? 'commaOrEnd' : 'end';
}
