import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';

const LOOK_MS = 500;
const TRIES = 120;

export interface Histories {
  workflows: number;
  /** Events: the longest history, the execution's own, and the total. */
  longest: number;
  own: number;
  events: number;
}

/** Returns the histories of an execution and of all child workflows of its loops, once all are closed. */
export async function historiesOf(address: string, executionId: string): Promise<Histories> {
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection });
    for (let tries = 0; ; tries += 1) {
      const found: Histories = { workflows: 0, longest: 0, own: 0, events: 0 };
      let open = 0;
      for await (const each of workflow.list({ query: `WorkflowId STARTS_WITH '${executionId}'` })) {
        if (each.status.name === 'RUNNING') open += 1;
        found.workflows += 1;
        found.events += each.historyLength;
        found.longest = Math.max(found.longest, each.historyLength);
        if (each.workflowId === executionId) found.own = each.historyLength;
      }
      // Temporal updates the list with a delay.
      if (found.own > 0 && open === 0) return found;
      if (tries === TRIES) throw new Error(`${open} workflows of ${executionId} are open still`);
      await sleep(LOOK_MS);
    }
  } finally {
    await connection.close();
  }
}
