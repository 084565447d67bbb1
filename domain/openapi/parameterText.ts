import { isJsonObject, type Json } from '../json.ts';
import type { PlannedField, Style } from './operationPlan.ts';

/** A value that the style of its parameter cannot hold. */
export class UnsendableValue extends Error {}

export type Pair = [name: string, value: string];

const SEPARATORS: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

/** The names and values of a query parameter, a cookie or a member of a form, not encoded. */
export function pairsOf({ name, style, key }: PlannedField, value: Json): Pair[] {
  const { style: styleName, explode, isJson } = style;
  if (isJson) return [[name, jsonText(value)]];
  if (styleName === 'deepObject' && typeof value === 'object') return deepPairs(name, value);
  if (Array.isArray(value)) {
    const texts = value.map((each) => plainText(each, key));
    return explode ? texts.map((text): Pair => [name, text]) : [[name, texts.join(SEPARATORS[styleName] ?? ',')]];
  }
  if (!isJsonObject(value)) return [[name, plainText(value, key)]];
  const members = Object.entries(value).map(([member, each]) => [member, plainText(each, key)] as Pair);
  return explode ? members : [[name, members.flat().join(SEPARATORS[styleName] ?? ',')]];
}

function deepPairs(name: string, value: Json): Pair[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => deepPairs(`${name}[${index}]`, each));
  if (!isJsonObject(value)) return [[name, value === null ? '' : String(value)]];
  return Object.entries(value).flatMap(([member, each]) => deepPairs(`${name}[${member}]`, each));
}

/** One text for a path or header parameter; `encode` is applied to each name and value in it. */
export function styledText(field: PlannedField, value: Json, encode: (text: string) => string): string {
  const { name, key } = field;
  const { style, explode, isJson }: Style = field.style;
  if (isJson) return encode(jsonText(value));
  const encoded = (each: Json) => encode(plainText(each, key));
  const [start, separator] = { label: ['.', '.'], matrix: [';', ';'] }[style] ?? ['', ','];
  if (Array.isArray(value)) {
    if (style === 'matrix') {
      const texts = value.map(encoded);
      return explode ? texts.map((text) => `;${encode(name)}=${text}`).join('') : `;${encode(name)}=${texts.join(',')}`;
    }
    return start + value.map(encoded).join(explode ? separator : ',');
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([member, each]) => [encode(member), encoded(each)] as const);
    if (explode) return start + members.map(([member, text]) => `${member}=${text}`).join(separator);
    const joined = members.flat().join(',');
    return style === 'matrix' ? `;${encode(name)}=${joined}` : start + joined;
  }
  return style === 'matrix' ? `;${encode(name)}=${encoded(value)}` : start + encoded(value);
}

/** JSON parameters may be given as text already. */
function jsonText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function plainText(value: Json, key: string): string {
  if (typeof value === 'object' && value !== null) {
    throw new UnsendableValue(`${key}: its parts must be texts, numbers, true or false`);
  }
  return value === null ? '' : String(value);
}
