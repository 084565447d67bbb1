import type { ReferenceKind } from '../../../../domain/reference/reference.ts';

/** Kinds with a list to select from; the others are typed as text. */
const RESOURCE_KINDS = ['workflow', 'agent', 'queue', 'objectType', 'knowledge'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

export function isResourceKind(kind: ReferenceKind): kind is ResourceKind {
  return (RESOURCE_KINDS as readonly string[]).includes(kind);
}
