import type { FieldReference, ReferenceKind } from '../reference/reference.ts';
import { keyOf } from './bundle.ts';
import { referenceText, slugReference } from './slugReference.ts';

/** A resource that a text can name. If slugs are equal, the older resource comes first. */
export interface Named {
  kind: ReferenceKind;
  id: string;
  slug: string;
  projectId: string | null;
  /** The caller may not know that it exists, so their texts do not resolve to it. */
  isHidden?: boolean;
}

/** Resolves names for a project: `@workflow/a` is its own, else the workspace's, else another project's oldest. */
export class Names {
  readonly #projectId: string;
  readonly #bySlug = new Map<string, Named>();
  readonly #byId = new Map<string, Named>();
  protected readonly nowhere: string = 'neither in the bundle nor in the workspace';

  constructor(projectId: string, rows: Iterable<Named>) {
    this.#projectId = projectId.toLowerCase();
    for (const row of rows) this.add(row);
  }

  add(row: Named): void {
    this.#byId.set(`${row.kind} ${row.id}`, row);
    const present = this.#bySlug.get(keyOf(row));
    if (!present || this.#rank(row) < this.#rank(present)) this.#bySlug.set(keyOf(row), row);
  }

  idOf(kind: ReferenceKind, slug: string): string | undefined {
    return this.#bySlug.get(keyOf({ kind, slug }))?.id;
  }

  has(kind: ReferenceKind, id: string): boolean {
    return this.#byId.has(`${kind} ${id.toLowerCase()}`);
  }

  textOf({ kind, by, name }: FieldReference & { name: string }): string {
    if (by === 'slug') return name;
    const found = this.#byId.get(`${kind} ${name.toLowerCase()}`);
    return found && this.idOf(kind, found.slug) === found.id ? referenceText(found) : name;
  }

  /** Returns the id for the text of a field, or its problem. Ids are accepted too. */
  resolve({ kind, by, name }: FieldReference & { name: string }): { name: string } | { problem: string } {
    const reference = by === 'id' ? slugReference(name) : undefined;
    if (reference === undefined) return by === 'id' ? this.#known(kind, name) : { name };
    if (reference.kind !== kind) return { problem: `expected @${kind}/…, got ${name}` };
    const id = this.idOf(kind, reference.slug);
    return id === undefined || this.#isHidden(kind, id)
      ? { problem: `there is no ${NOUNS[kind]} ${JSON.stringify(reference.slug)}, ${this.nowhere}` }
      : { name: id };
  }

  #known(kind: ReferenceKind, name: string): { name: string } | { problem: string } {
    if (kind === 'object' || (this.has(kind, name) && !this.#isHidden(kind, name))) return { name };
    return { problem: `there is no ${NOUNS[kind]} ${name}: expected @${kind}/<slug>` };
  }

  #isHidden(kind: ReferenceKind, id: string): boolean {
    return this.#byId.get(`${kind} ${id.toLowerCase()}`)?.isHidden === true;
  }

  #rank({ projectId }: Named): number {
    if (projectId === this.#projectId) return 0;
    return projectId === null ? 1 : 2;
  }
}

const NOUNS: Record<ReferenceKind, string> = {
  workflow: 'workflow',
  agent: 'agent',
  queue: 'queue',
  objectType: 'entity type',
  knowledge: 'knowledge base',
  variable: 'variable',
  connection: 'connection',
  object: 'entity',
};
