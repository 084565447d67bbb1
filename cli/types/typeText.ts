export type Members = { key: string; isOptional: boolean; type: string }[];

export function objectType(members: Members): string {
  if (members.length === 0) return 'Record<string, never>';
  const lines = members.map(({ key, isOptional, type }) => `${keyText(key)}${isOptional ? '?' : ''}: ${type};`);
  return `{\n${indented(lines.join('\n'))}\n}`;
}

export function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

export function unionOf(types: readonly string[]): string {
  const all = new Set(types);
  const distinct = [...all].filter((type) => !all.has(widened(type)));
  if (distinct.length === 0) return 'never';
  return all.has('unknown') ? 'unknown' : distinct.join(' | ');
}

function widened(type: string): string {
  if (/^-?\d/.test(type)) return 'number';
  if (type === 'true' || type === 'false') return 'boolean';
  return /^"(?:[^"\\]|\\.)*"$/.test(type) ? 'string' : '';
}

export function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
