import { LRUCache } from 'lru-cache';
import { loopKey } from '../../domain/execution/iteration.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import type { Database } from '../../prisma/client.ts';
import { readStepInput } from '../../prisma/store/execution/readStep.ts';
import { type LoopPlanned, planLoop } from './planLoop.ts';

export interface PlacedLoop {
  workspaceId: string;
  executionId: string;
  parent: string;
  compiled: CompiledNode;
}

interface Kept {
  planned: LoopPlanned;
  /** Approximate JSON size of its inputs. */
  bytes: number;
}

/** Items and settings of loops between regions. The first region writes them; other processes read the step's row. */
export class OpenedLoops {
  readonly #database: Database;
  readonly #kept: LRUCache<string, Kept>;

  constructor(database: Database, mostBytes: number) {
    this.#database = database;
    this.#kept = new LRUCache({ maxSize: mostBytes });
  }

  keep(loop: PlacedLoop, planned: LoopPlanned, bytes: number): void {
    this.#kept.set(keyOf(loop), { planned, bytes }, { size: Math.max(bytes, 1) });
  }

  forget(loop: PlacedLoop): void {
    this.#kept.delete(keyOf(loop));
  }

  async of(loop: PlacedLoop): Promise<Kept> {
    const kept = this.#kept.get(keyOf(loop));
    if (kept) return kept;
    const { workspaceId, executionId, parent, compiled } = loop;
    const nodeId = compiled.node.id;
    const input = await readStepInput(this.#database, workspaceId, executionId, { nodeId, iteration: parent });
    const planned = input && planLoop(compiled, input);
    if (!planned?.ok) throw new Error(`The loop ${loopKey(parent, nodeId)} of ${executionId} has no input`);
    const bytes = JSON.stringify(input).length;
    this.keep(loop, planned, bytes);
    return { planned, bytes };
  }
}

function keyOf({ workspaceId, executionId, parent, compiled }: PlacedLoop): string {
  return `${workspaceId}/${executionId}/${loopKey(parent, compiled.node.id)}`;
}
