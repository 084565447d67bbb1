const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'end';

/**
 * Where a text stops being JSON, lines and columns from 1. JSON.parse names the place in some of its messages only, and
 * quotes the text, which may hold a secret.
 */
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

/** Where the token that begins at `at` ends; undefined when none does. */
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

/** The expectation after a token, by its first character; undefined if the token is not allowed here. */
function follow(first: string, expected: Expected, open: ('{' | '[')[]): Expected | undefined {
  const inside = open.at(-1);
  const afterValue = (): Expected => (open.length > 0 ? 'commaOrEnd' : 'end');
  const wantsValue = expected === 'value' || expected === 'valueOrEnd';
  switch (first) {
    case '{':
    case '[':
      if (!wantsValue) return undefined;
      open.push(first);
      return first === '{' ? 'keyOrEnd' : 'valueOrEnd';
    case '}':
    case ']':
      if (inside !== (first === '}' ? '{' : '[')) return undefined;
      if (expected !== 'commaOrEnd' && expected !== (first === '}' ? 'keyOrEnd' : 'valueOrEnd')) return undefined;
      open.pop();
      return afterValue();
    case ',':
      if (expected !== 'commaOrEnd') return undefined;
      return inside === '{' ? 'key' : 'value';
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case '"':
      if (expected === 'key' || expected === 'keyOrEnd') return 'colon';
      return wantsValue ? afterValue() : undefined;
    default:
      return wantsValue ? afterValue() : undefined;
  }
}
