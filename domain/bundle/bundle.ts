import type { Permission } from '../access/permission.ts';
import type { Json, JsonObject } from '../json.ts';

/** What a project holds as code, in the order of a bundle. */
export const BUNDLE_KINDS = ['agent', 'knowledge', 'objectType', 'queue', 'variable', 'workflow'] as const;
export type BundleKind = (typeof BUNDLE_KINDS)[number];

/** A resource as a bundle has it: the fields of its upsert, with `@kind/slug` in the place of ids. */
export type BundleResource = JsonObject & { kind: BundleKind; slug: string };

/** One that is stored. */
export interface StoredResource {
  kind: BundleKind;
  id: string;
  slug: string;
  /** It was upserted as code, or applied through the project. */
  isOfCode: boolean;
  /** The owner that was named when it was applied through the project: only a bundle of this owner may delete it. */
  owner: string | null;
  /** All fields of its upsert, as they are stored: ids, and secrets as they are. */
  fields: JsonObject;
}

export type PlanAction = 'create' | 'update' | 'delete' | 'unchanged';

export interface PlanEntry {
  kind: BundleKind;
  slug: string;
  action: PlanAction;
  changes: FieldChange[];
  /** Of a workflow that changes or goes: executions that go on by the version that they have. */
  openExecutions?: number;
}

/** `path` in the notation of domain/place.ts; entries of a list that have ids stand under them: `nodes.fetch.inputs.url`. */
export interface FieldChange {
  path: string;
  /** Null: it was not there. */
  from: Json;
  /** Null: it will not be there. */
  to: Json;
}

/** Of the operations that read and write one of the kind. */
export const KIND_PERMISSIONS = {
  agent: { read: 'agents:read', write: 'agents:write' },
  knowledge: { read: 'knowledge:read', write: 'knowledge:write' },
  objectType: { read: 'objects:read', write: 'objects:write' },
  queue: { read: 'queues:read', write: 'queues:write' },
  variable: { read: 'variables:read', write: 'variables:write' },
  workflow: { read: 'workflows:read', write: 'workflows:write' },
} as const satisfies Record<BundleKind, { read: Permission; write: Permission }>;

/** The key of a resource in maps. */
export function keyOf({ kind, slug }: { kind: string; slug: string }): string {
  return `${kind} ${slug}`;
}

/** By kind, then by slug, sign by sign: the same on every machine. */
export function inOrder<T extends { kind: string; slug: string }>(resources: readonly T[]): T[] {
  return [...resources].sort((a, b) => compare(a.kind, b.kind) || compare(a.slug, b.slug));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
