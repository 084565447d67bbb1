import type { JsonObject } from '../json.ts';
import type { StateSchema } from './stateSchema.ts';

export interface ObjectRules {
  /** JSON Schema 2020-12 of an object; null: the type has no attributes. */
  attributeSchema: JsonObject | null;
  /** Null: entities have no state. */
  stateSchema: StateSchema | null;
  allowUnknownAttributes: boolean;
  /** The attributeSchema is the dataSchema of a queue: it describes the attribute `data`, which may be any JSON. */
  isOfItems?: true;
}

/** This attribute is always allowed, with any value unless the schema restricts it. */
export const EXTENSIONS = 'extensions';

export interface SchemaLimits {
  bytes: number;
  depth: number;
  /** Maximum number of schemas that one check of an entity visits. A schema counts once for each reference to it. */
  nodes: number;
}

/** Maximum size as JSON of an attributeSchema that is compiled in a thread that also serves others. */
export const INLINE_SCHEMA_BYTES = 4_096;
export const SCHEMA_COMPILE_MS = 10_000;

export const DEFAULT_SCHEMA_LIMITS: SchemaLimits = { bytes: 65_536, depth: 32, nodes: 5_000 };
