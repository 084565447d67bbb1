/** The kinds of resources that definitions name. `object` is an entity, which has no slug. */
export const REFERENCE_KINDS = [
  'workflow',
  'agent',
  'queue',
  'objectType',
  'knowledge',
  'variable',
  'connection',
  'object',
] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** What a field names: a resource of the kind, by its id or its slug. */
export interface FieldReference {
  kind: ReferenceKind;
  by: 'id' | 'slug';
}

/** A resource that a stored one names at a place. */
export interface Reference extends FieldReference {
  /** In the notation of domain/place.ts: `nodes[1].connectionId`. */
  path: string;
  /** The id or the slug as it stands there; of an id also the text that a bundle has in its place (`@queue/refunds`). */
  name: string;
}
