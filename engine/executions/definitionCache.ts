import { LRUCache } from 'lru-cache';
import type { Catalogue } from '../../domain/app/manifest.ts';
import type { ExecutionRef } from '../../domain/execution/executionRef.ts';
import { type CompiledDefinition, compileDefinition } from '../../domain/workflow/compile.ts';
import type { Definition } from '../../domain/workflow/definition.ts';
import type { Database } from '../../prisma/client.ts';
import { readExecutionDefinition } from '../../prisma/store/execution/readAcceptedExecution.ts';
import { readVersionDefinition } from '../../prisma/store/workflow/findWorkflow.ts';
import { compileAhead } from '../evaluation/compileAhead.ts';
import { ExecutionGone } from './executionGone.ts';

/** Caches compiled definitions by version, or by execution if it has its own. Both never change. */
export class DefinitionCache {
  readonly #database: Database;
  readonly #catalogue: Catalogue;
  readonly #compiled: LRUCache<string, CompiledDefinition>;

  constructor(database: Database, catalogue: Catalogue, capacity = 500) {
    this.#database = database;
    this.#catalogue = catalogue;
    this.#compiled = new LRUCache({ max: capacity });
  }

  /** Throws if the workspace has no such version or execution. */
  async get(ref: ExecutionRef): Promise<CompiledDefinition> {
    const id = ref.versionId ?? ref.executionId;
    const known = this.#compiled.get(keyOf(ref.workspaceId, id));
    if (known) return known;
    const definition = ref.versionId
      ? await readVersionDefinition(this.#database, ref.workspaceId, ref.versionId)
      : await readExecutionDefinition(this.#database, ref.workspaceId, ref.executionId);
    if (!definition) throw new ExecutionGone(`definition ${id}`);
    await compileAhead(definition);
    return this.add(ref.workspaceId, id, definition);
  }

  /** Compiles a validated definition that is not stored yet. */
  compile(definition: Definition): CompiledDefinition {
    return compileDefinition(definition, this.#catalogue);
  }

  /** Caches a validated definition under the id of the version, or of the execution that has it. */
  add(workspaceId: string, id: string, definition: Definition): CompiledDefinition {
    const compiled = this.compile(definition);
    this.#compiled.set(keyOf(workspaceId, id), compiled);
    return compiled;
  }
}

/** Includes the workspace, so that one never gets another's entry. */
function keyOf(workspaceId: string, id: string): string {
  return `${workspaceId}/${id}`;
}
