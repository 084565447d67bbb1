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
