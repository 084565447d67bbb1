import type { Client } from '@temporalio/client';
import { action, control } from '../../setup/workspace/graph.ts';
import type { Home } from '../../setup/workspace/home.ts';
import type { Kind } from '../kinds.ts';

/** An engine workflow that is not an execution. */
export interface NotExecution {
  engineId: string;
  /** If it has several histories; absent: the last. */
  runId?: string | undefined;
  /** Set for a stack other than the shared one. */
  client?: Client;
}

/** Starts the kind's work, acts for its people, and returns the execution's id or the engine workflow. */
export type Recipe = (home: Home) => Promise<string | NotExecution>;
export type Recipes = Partial<Record<Kind, Recipe>>;

export const set = (id: string) => action(id, 'core.set', { values: { id } });
export const remote = (id: string) => action(id, 'testing.succeed', { output: id });

export async function execute(home: Home, graph: Parameters<Home['deploy']>[0]): Promise<string> {
  return home.execute(await home.deploy(graph));
}

/** More than one child workflow takes. */
export function manyItems(count = 110, concurrency = 20) {
  return {
    nodes: [
      control('each', 'forEach', { items: Array.from({ length: count }, (_, index) => index), concurrency }),
      { ...remote('work'), parentId: 'each' },
    ],
  };
}
