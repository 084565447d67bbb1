import type { JsonObject } from '../json.ts';
import type { StateSchema } from './stateSchema.ts';

/** The rules of an entity type for its entities. */
export interface ObjectRules {
  /** JSON Schema 2020-12 of an object; null: no attribute is known. */
  attributeSchema: JsonObject | null;
  /** Null: entities have no state. */
  stateSchema: StateSchema | null;
  allowUnknownAttributes: boolean;
}

/** This attribute is always allowed, with any value unless the schema restricts it. */
export const EXTENSIONS = 'extensions';

/** Limits of an attributeSchema. */
export interface SchemaLimits {
  /** Largest schema as JSON. */
  bytes: number;
  /** Schemas inside each other. */
  depth: number;
  /** Schemas in it, each counted as often as references lead to it: what one check of an entity looks at. */
  nodes: number;
}

/** Largest attributeSchema, as JSON, that is compiled in the thread that serves others too. */
export const INLINE_SCHEMA_BYTES = 4_096;
/** Longest time in which one is compiled. */
export const SCHEMA_COMPILE_MS = 10_000;

export const DEFAULT_SCHEMA_LIMITS: SchemaLimits = { bytes: 65_536, depth: 32, nodes: 5_000 };
