import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { transition } from '../transition.ts';
import { WORKFLOW } from './resource.ts';

export interface PauseState {
  id: string;
  paused: boolean;
  /** Accepted executions that may not begin yet. */
  heldExecutions: number;
}

/** Idempotent. Throws NOT_FOUND. */
export async function setPaused(
  database: Database,
  viewer: Viewer,
  workflowId: string,
  paused: boolean,
): Promise<PauseState> {
  const { item } = await transition(
    database,
    viewer,
    WORKFLOW,
    workflowId,
    { state: Prisma.sql`t.is_paused`, from: [String(!paused)], set: [Prisma.sql`is_paused = ${paused}::boolean`] },
    { query: { expansion: 'paused,heldExecutions' } },
  );
  const { id, heldExecutions } = item;
  return { id: String(id), paused: item.paused === true, heldExecutions: Number(heldExecutions) };
}
