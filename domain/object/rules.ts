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

/** Of an attributeSchema. */
export interface SchemaLimits {
  /** Of the schema as JSON. */
  bytes: number;
  /** Schemas inside each other. */
  depth: number;
  /** Schemas in it, each counted as often as references lead to it: what one check of an entity looks at. */
  nodes: number;
}

export const DEFAULT_SCHEMA_LIMITS: SchemaLimits = { bytes: 65_536, depth: 32, nodes: 5_000 };
