import type { Json, JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';
import type { CompiledRules } from './compiledRules.ts';
import type { ImportColumn } from './importColumns.ts';
import { typesOf } from './subschemas.ts';

export interface ImportValues {
  name?: Json;
  state?: Json;
  ownerId?: Json;
  attributes: JsonObject;
}

/**
 * Converts texts to what the attributes require. An empty text counts as absent; the schema rejects what stays text.
 */
export function importValues(row: JsonObject, columns: readonly ImportColumn[], rules: CompiledRules): ImportValues {
  const attributes = new Map<string, Json>();
  const values: Omit<ImportValues, 'attributes'> = {};
  for (const { source, target } of columns) {
    const cell = ownMember(row, source);
    if (cell === undefined) continue;
    if ('attribute' in target) {
      const value = readCell(cell, rules, target.attribute);
      if (value !== undefined) attributes.set(target.attribute, value);
    } else if (target.member === 'name') values.name = typeof cell === 'number' ? String(cell) : cell;
    else if (cell !== '') values[target.member] = cell;
  }
  return { ...values, attributes: Object.fromEntries(attributes) };
}

function readCell(cell: Json, { attributeSchema, named }: CompiledRules, attribute: string): Json | undefined {
  if (typeof cell !== 'string') return cell;
  if (cell === '') return undefined;
  const types = typesOf(attributeSchema ?? {}, named.schemas.get(attribute) ?? true);
  if (types.length === 0 || types.includes('string')) return cell;
  const text = cell.trim();
  if (text === '') return undefined;
  for (const type of types) {
    const read = READ[type]?.(text);
    if (read !== undefined) return read;
  }
  return cell;
}

const READ: Readonly<Record<string, (text: string) => Json | undefined>> = {
  number: numberOf,
  integer: numberOf,
  boolean: (text) => ({ true: true, false: false })[text.toLowerCase()],
  object: jsonOf,
  array: jsonOf,
};

function numberOf(text: string): number | undefined {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function jsonOf(text: string): Json | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
