import type { JsonObject } from '../json.ts';
import type { StateSchema } from './stateSchema.ts';

/** What an entity type asks of its entities. */
export interface ObjectRules {
  /** JSON Schema 2020-12 of an object; null: no attribute is known. */
  attributeSchema: JsonObject | null;
  /** Null: entities have no state. */
  stateSchema: StateSchema | null;
  allowUnknownAttributes: boolean;
}

/** This attribute is always allowed, and holds what it likes, where the schema does not say. */
export const EXTENSIONS = 'extensions';
