import { LRUCache } from 'lru-cache';
import type { Catalogue } from '../domain/app/manifest.ts';
import type { ExecutionRef } from '../domain/execution/activityCalls.ts';
import { type CompiledDefinition, compileDefinition } from '../domain/workflow/compile.ts';
import type { Definition } from '../domain/workflow/definition.ts';
import type { Database } from '../prisma/client.ts';
import { readExecutionDefinition } from '../prisma/store/execution/readExecutionDefinition.ts';
import { readVersionDefinition } from '../prisma/store/workflow/readVersionDefinition.ts';

/** Compiled definitions by version, or by execution for ad-hoc runs. Versions never change, so nothing goes stale. */
export class DefinitionCache {
  readonly #database: Database;
  readonly #catalogue: Catalogue;
  readonly #compiled: LRUCache<string, CompiledDefinition>;

  constructor(database: Database, catalogue: Catalogue, capacity = 500) {
    this.#database = database;
    this.#catalogue = catalogue;
    this.#compiled = new LRUCache({ max: capacity });
  }

  /** Throws when the workspace has no such version or execution. */
  async get(ref: ExecutionRef): Promise<CompiledDefinition> {
    const key = ref.versionId ?? ref.executionId;
    const known = this.#compiled.get(key);
    if (known) return known;
    const definition = ref.versionId
      ? await readVersionDefinition(this.#database, ref.workspaceId, ref.versionId)
      : await readExecutionDefinition(this.#database, ref.workspaceId, ref.executionId);
    if (!definition) throw new Error(`There is no definition ${key}`);
    return this.add(key, definition);
  }

  /** Keeps what has just been validated, under the version's id or the ad-hoc execution's. */
  add(key: string, definition: Definition): CompiledDefinition {
    const compiled = compileDefinition(definition, this.#catalogue);
    this.#compiled.set(key, compiled);
    return compiled;
  }
}
