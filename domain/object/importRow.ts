import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { ImportColumn } from './importColumns.ts';
import { ownMember, resolveRef } from './subschemas.ts';

/** The values of a row; other fields are absent. */
export interface ImportValues {
  name?: Json;
  state?: Json;
  ownerId?: Json;
  attributes: JsonObject;
}

/**
 * The values of a row. A text is converted to the number, boolean, object or list that its attribute requires, because
 * tables contain texts; an empty text counts as absent. A text that cannot be converted stays, and the schema refuses
 * it.
 */
export function importValues(
  row: JsonObject,
  columns: readonly ImportColumn[],
  schema: JsonObject | null,
): ImportValues {
  const attributes = new Map<string, Json>();
  const values: Omit<ImportValues, 'attributes'> = {};
  for (const { source, target } of columns) {
    const cell = ownMember(row, source);
    if (cell === undefined) continue;
    if ('attribute' in target) {
      const value = readCell(cell, schema, target.attribute);
      if (value !== undefined) attributes.set(target.attribute, value);
    } else if (target.member === 'name') values.name = typeof cell === 'number' ? String(cell) : cell;
    else if (cell !== '') values[target.member] = cell;
  }
  return { ...values, attributes: Object.fromEntries(attributes) };
}

/** Undefined: an empty cell. */
function readCell(cell: Json, schema: JsonObject | null, attribute: string): Json | undefined {
  if (typeof cell !== 'string' || schema === null) return cell;
  const types = typesOf(schema, attribute);
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

/** The types that the schema names for an attribute; none where it leaves them open. */
function typesOf(root: JsonObject, attribute: string): string[] {
  const properties = ownMember(root, 'properties');
  let schema = isJsonObject(properties) ? ownMember(properties, attribute) : undefined;
  // References within a schema end (attributeSchemaProblems).
  while (isJsonObject(schema)) {
    const type = ownMember(schema, 'type');
    if (typeof type === 'string') return [type];
    if (Array.isArray(type)) return type.map(String);
    const ref = ownMember(schema, '$ref');
    schema = typeof ref === 'string' ? resolveRef(root, ref) : undefined;
  }
  return [];
}
