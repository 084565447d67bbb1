import type { Json } from '../../domain/json.ts';
import type { Author } from '../../domain/object/author.ts';
import {
  type CompiledRules,
  compileRules,
  type ObjectChecks,
  type ObjectReference,
} from '../../domain/object/compiledRules.ts';
import { compiledType } from '../../domain/object/compiledTypes.ts';
import { type CheckedRow, checkRow, type ImportedObject, type RowError } from '../../domain/object/importCheck.ts';
import type { ImportValues } from '../../domain/object/importRow.ts';
import { ownMember } from '../../domain/ownMember.ts';
import { Problem } from '../../domain/problem.ts';
import { canonicalJson } from '../../domain/workflow/canonical.ts';
import type { Database } from '../../prisma/client.ts';
import { type FoundReferences, findReferences } from '../../prisma/store/object/findReferences.ts';
import { findMatches, insertObjects, type MatchField, updateObjects } from '../../prisma/store/object/importBatch.ts';
import type { ObjectType } from '../../prisma/store/objectType/readObjectType.ts';
import { EventLoopYield } from '../fairness/eventLoopYield.ts';

export interface ImportRow {
  /** Counted from 1. */
  row: number;
  /** The id of the entity if the row creates one. */
  id: string;
  values: ImportValues;
}

export interface RowOutcome {
  row: number;
  became: 'created' | 'updated' | 'failed';
  errors: RowError[];
}

export interface BatchContext {
  database: Database;
  workspaceId: string;
  by: Author;
  checks: ObjectChecks;
  type: ObjectType;
  match: MatchField | undefined;
  dryRun: boolean;
  /** Entities that earlier batches of a dry run would have created, by the matched value. */
  planned: Map<string, Entry>;
}

interface Entry extends ImportedObject {
  id: string;
  /** Undefined if no entity is stored. */
  revision: number | undefined;
  stored: string;
  ambiguous: boolean;
  rows: { row: number; became: 'created' | 'updated' }[];
}

export interface CheckedRows {
  failed: RowOutcome[];
  entries: Entry[];
}

export class ImportBatch {
  readonly #context: BatchContext;
  readonly #rules: CompiledRules;
  readonly #next: CompiledRules | undefined;
  readonly #eventLoop = new EventLoopYield();

  constructor(context: BatchContext) {
    const { type } = context;
    this.#context = context;
    this.#rules = compiledType(type.id, type.version, type.rules);
    this.#next = type.nextRules ? compileRules(type.nextRules) : undefined;
  }

  async check(rows: readonly ImportRow[]): Promise<CheckedRows> {
    const known = await this.#known(rows);
    const found = await this.#references(rows);
    const entries: Entry[] = [];
    const failed: RowOutcome[] = [];
    for (const row of rows) {
      const key = this.#keyOf(row.values);
      const entry = key === undefined ? undefined : known.get(key);
      await this.#eventLoop.takeIfDue();
      const checked = await this.#check(row, entry, found);
      if ('errors' in checked) {
        failed.push({ row: row.row, became: 'failed', errors: checked.errors });
        continue;
      }
      const changed = entry ? Object.assign(entry, checked.object) : newEntry(row.id, checked.object);
      // An earlier attempt of this import may have created it from this row.
      const isOwn = !entry || (entry.id === row.id && entry.rows.length === 0);
      changed.rows.push({ row: row.row, became: isOwn ? 'created' : 'updated' });
      if (changed.rows.length === 1 || !entries.includes(changed)) entries.push(changed);
      if (key !== undefined) known.set(key, changed);
      if (key !== undefined && this.#context.dryRun) this.#context.planned.set(key, changed);
    }
    return { failed, entries };
  }

  /** Returns the outcomes of the written rows; rows that met a concurrent change are missing. */
  async write({ failed, entries }: CheckedRows): Promise<RowOutcome[]> {
    const written = this.#context.dryRun ? entries : await this.#write(entries);
    return [...failed, ...written.flatMap((entry) => entry.rows.map((row) => ({ ...row, errors: [] })))];
  }

  async #check(row: ImportRow, entry: Entry | undefined, found: FoundReferences): Promise<CheckedRow> {
    if (entry?.ambiguous) {
      return { errors: [{ ...this.#matched(), message: 'several entities have this value' }] };
    }
    const world = {
      checks: this.#context.checks,
      exists: found.hasObject,
      isMember: found.hasMember,
    };
    const checked = await checkRow(this.#rules, row.values, entry, world);
    if ('errors' in checked || !this.#next) return checked;
    // Checks the state that the row gets by the current rules.
    const state = checked.object.state ?? undefined;
    const inState = { ...row.values, ...(state === undefined ? {} : { state }) };
    const next = await checkRow(this.#next, inState, entry, world);
    if (!('errors' in next)) return checked;
    return { errors: next.errors.map((each) => ({ ...each, message: `${each.message} (the type is being changed)` })) };
  }

  /** Returns no references for a row whose check takes too much; that row fails anyway. */
  async #named(rules: CompiledRules, { attributes }: ImportValues): Promise<readonly ObjectReference[]> {
    await this.#eventLoop.takeIfDue();
    try {
      return (await this.#context.checks.check(rules, attributes)).references;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'EXPRESSION_LIMIT') throw error;
      return [];
    }
  }

  #matched(): { field?: string } {
    const { match } = this.#context;
    return match === undefined ? {} : { field: match === 'name' ? 'name' : match.attribute };
  }

  #valueOf({ name, attributes }: ImportValues): Json | undefined {
    const { match } = this.#context;
    if (match === undefined) return undefined;
    if (match === 'name') return name;
    return ownMember(attributes, match.attribute);
  }

  /** Undefined: the row has no value to match. */
  #keyOf(values: ImportValues): string | undefined {
    const value = this.#valueOf(values);
    return value === undefined || value === null || value === '' ? undefined : canonicalJson(value);
  }

  async #known(rows: readonly ImportRow[]): Promise<Map<string, Entry>> {
    const { database, workspaceId, type, match, planned } = this.#context;
    const values = new Map<string, Json>();
    for (const { values: each } of rows) {
      const key = this.#keyOf(each);
      if (key !== undefined) values.set(key, this.#valueOf(each) as Json);
    }
    if (match === undefined || values.size === 0) return new Map();
    const keys = [...values.keys()];
    const known = new Map<string, Entry>();
    for (const { index, count, ...object } of await findMatches(database, workspaceId, type.id, match, [
      ...values.values(),
    ])) {
      const key = keys[index] ?? '';
      known.set(key, { ...object, stored: contentOf(object), ambiguous: count > 1, rows: [] });
    }
    for (const key of keys) {
      const before = planned.get(key);
      if (before && !known.has(key)) known.set(key, { ...before, rows: [] });
    }
    return known;
  }

  async #references(rows: readonly ImportRow[]): Promise<FoundReferences> {
    const { database, workspaceId } = this.#context;
    const named: ObjectReference[] = [];
    for (const rules of [this.#rules, this.#next]) {
      if (rules?.hasReferences) for (const { values } of rows) named.push(...(await this.#named(rules, values)));
    }
    const owners = rows.flatMap(({ values: { ownerId } }) => (typeof ownerId === 'string' ? [ownerId] : []));
    const ids = named.map(({ id }) => id);
    return findReferences(database, workspaceId, ids, owners);
  }

  /** Returns the entries that were written or need no write. */
  async #write(entries: readonly Entry[]): Promise<Entry[]> {
    const { database, workspaceId, type, match, by } = this.#context;
    const made = entries.filter(({ revision }) => revision === undefined);
    const inserted = made.length > 0 ? await insertObjects(database, workspaceId, type, match, made, by) : new Set();
    const stored = entries.filter((each): each is Entry & { revision: number } => each.revision !== undefined);
    const changed = new Set(stored.filter((entry) => contentOf(entry) !== entry.stored));
    const written = changed.size > 0 ? await updateObjects(database, workspaceId, type, [...changed], by) : new Set();
    return [
      ...made.filter(({ id }) => inserted.has(id)),
      ...stored.filter((entry) => !changed.has(entry) || written.has(entry.id)),
    ];
  }
}

function newEntry(id: string, object: ImportedObject): Entry {
  const { name, state, attributes, ownerId } = object;
  return { id, name, state, attributes, ownerId, revision: undefined, stored: '', ambiguous: false, rows: [] };
}

function contentOf({ name, attributes, ownerId }: Pick<ImportedObject, 'name' | 'attributes' | 'ownerId'>): string {
  return canonicalJson([name, attributes, ownerId]);
}
