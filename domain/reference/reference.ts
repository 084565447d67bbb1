/** The kinds of resources that definitions can name. `object` is an entity, which has no slug. */
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

/** A field names a resource of this kind, by its id or its slug. */
export interface FieldReference {
  kind: ReferenceKind;
  by: 'id' | 'slug';
}

export interface Reference extends FieldReference {
  /** In the notation of domain/place.ts, e.g. `nodes[1].connectionId`. */
  path: string;
  /** The id or slug in that field. Instead of an id, a bundle has a text such as `@queue/refunds`. */
  name: string;
}
