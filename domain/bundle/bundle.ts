import type { Permission } from '../access/permission.ts';
import type { Json, JsonObject } from '../json.ts';

export const BUNDLE_KINDS = ['agent', 'app', 'knowledge', 'objectType', 'queue', 'variable', 'workflow'] as const;
export type BundleKind = (typeof BUNDLE_KINDS)[number];

/** A resource in a bundle: the fields of its upsert, with `@kind/slug` instead of ids. */
export type BundleResource = JsonObject & { kind: BundleKind; slug: string };

export interface StoredResource {
  kind: BundleKind;
  id: string;
  slug: string;
  /** The stored slug, if the bundle moves the resource to `slug`. */
  movedFrom?: string;
  /** It was upserted as code, or applied with the project. */
  isOfCode: boolean;
  /** The owner given when it was applied with the project. Only a bundle of the same owner may delete it. */
  owner: string | null;
  /** A workflow that is only a draft: a bundle may publish it, and exports leave it out. */
  isUnpublished?: boolean;
  /** All fields of its upsert as stored, with ids and unmasked secrets. */
  fields: JsonObject;
}

export type PlanAction = 'create' | 'update' | 'delete' | 'unchanged';

export interface PlanEntry {
  kind: BundleKind;
  slug: string;
  action: PlanAction;
  changes: FieldChange[];
  /** The slug before the bundle, if it moves the resource. */
  movedFrom?: string;
  /** For a changed or deleted workflow: executions that continue with their own version. */
  openExecutions?: number;
  /** The signing secret of an http app, in the answer of the apply that makes it. */
  secret?: string;
}

/** `path` is in the notation of domain/place.ts, but with ids of entries that have one: `nodes.fetch.inputs.url`. */
export interface FieldChange {
  path: string;
  /** Null: absent before. */
  from: Json;
  to: Json;
}

export const KIND_PERMISSIONS = {
  agent: { read: 'agents:read', write: 'agents:write' },
  app: { read: 'workflows:read', write: 'apps:write' },
  knowledge: { read: 'knowledge:read', write: 'knowledge:write' },
  objectType: { read: 'objects:read', write: 'objects:write' },
  queue: { read: 'queues:read', write: 'queues:write' },
  variable: { read: 'variables:read', write: 'variables:write' },
  workflow: { read: 'workflows:read', write: 'workflows:write' },
} as const satisfies Record<BundleKind, { read: Permission; write: Permission }>;

export function keyOf({ kind, slug }: { kind: string; slug: string }): string {
  return `${kind} ${slug}`;
}

/** Sorts by kind, then by slug in code-unit order, which is the same on every machine. */
export function inOrder<T extends { kind: string; slug: string }>(resources: readonly T[]): T[] {
  return [...resources].sort((a, b) => compare(a.kind, b.kind) || compare(a.slug, b.slug));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
