import type { JsonObject } from '../json.ts';
import { own, subschemas } from './subschemas.ts';

/** Slugs of the entity types to which attributes refer. */
export function referencedTypes(schema: JsonObject | null): string[] {
  const slugs = new Set<string>();
  const look = (each: JsonObject): void => {
    const slug = own(each, 'x-objectType');
    if (typeof slug === 'string') slugs.add(slug);
    for (const inside of subschemas(each)) look(inside.schema);
  };
  if (schema) look(schema);
  return [...slugs];
}
