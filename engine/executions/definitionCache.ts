import { LRUCache } from 'lru-cache';
import type { ExecutionRef } from '../../domain/execution/executionRef.ts';
import { type CompiledDefinition, compileDefinition } from '../../domain/workflow/compile.ts';
import type { Definition } from '../../domain/workflow/definition.ts';
import type { Database } from '../../prisma/client.ts';
import { readExecutionDefinition } from '../../prisma/store/execution/readAcceptedExecution.ts';
import { readVersionDefinition } from '../../prisma/store/workflow/findWorkflow.ts';
import type { WorkspaceApps } from '../apps/workspaceApps.ts';
import { compileAhead } from '../evaluation/compileAhead.ts';
import { ExecutionGone } from './executionGone.ts';

/** Caches compiled definitions by version, or by execution if it has its own. Both never change. */
export class DefinitionCache {
  readonly #database: Database;
  readonly #apps: WorkspaceApps;
  readonly #compiled: LRUCache<string, CompiledDefinition>;

  constructor(database: Database, apps: WorkspaceApps, capacity = 500) {
    this.#database = database;
    this.#apps = apps;
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
  async compile(workspaceId: string, definition: Definition): Promise<CompiledDefinition> {
    return compileDefinition(definition, await this.#apps.of(workspaceId, definition));
  }

  /** Caches a validated definition under the id of the version, or of the execution that has it. */
  async add(workspaceId: string, id: string, definition: Definition): Promise<CompiledDefinition> {
    const compiled = await this.compile(workspaceId, definition);
    this.#compiled.set(keyOf(workspaceId, id), compiled);
    return compiled;
  }
}

/** Includes the workspace, so that one never gets another's entry. */
function keyOf(workspaceId: string, id: string): string {
  return `${workspaceId}/${id}`;
}
