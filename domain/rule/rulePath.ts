const PART = /\.\??\s*([A-Za-z_][A-Za-z0-9_]*)|\[\??\s*(?:(\d+)|("(?:[^"\\]|\\.)*")|'([^'\\]*)')\s*\]/y;
const ROOT = /^[A-Za-z_][A-Za-z0-9_]*/;
/** Words of CEL, which cannot follow a dot. */
const WORDS: ReadonlySet<string> = new Set(['in', 'null', 'true', 'false']);

export type RuleKeys = [root: string, ...members: (string | number)[]];

/** Reads a path as a person writes it; undefined if the text is something else. */
export function ruleKeys(text: string): RuleKeys | undefined {
  const path = text.trim();
  const [root] = ROOT.exec(path) ?? [];
  if (root === undefined || WORDS.has(root)) return undefined;
  const keys: RuleKeys = [root];
  PART.lastIndex = root.length;
  while (PART.lastIndex < path.length) {
    const part = PART.exec(path);
    if (part === null) return undefined;
    const [, name, index, quoted, single] = part;
    keys.push(index === undefined ? (name ?? single ?? unquoted(quoted as string)) : Number(index));
  }
  return keys;
}

function unquoted(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}

export function pathOfKeys([root, ...members]: RuleKeys): string {
  return root + members.map((key) => memberText(key)).join('');
}

/** Returns the path as an expression that is null if a part of it is missing. */
export function optionalPath([root, first, ...rest]: RuleKeys): string {
  if (first === undefined) return root;
  const members = memberText(first, '?') + rest.map((key) => memberText(key)).join('');
  return `${root}${members}.orValue(null)`;
}

function memberText(key: string | number, mark = ''): string {
  if (typeof key === 'number') return `[${mark}${key}]`;
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key) && !WORDS.has(key)) return `.${mark}${key}`;
  return `[${mark}${JSON.stringify(key)}]`;
}
