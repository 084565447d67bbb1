import type { Node } from '../../../domain/workflow/definition.ts';
import { action, chain, question } from './graph.ts';
import { type Home, statuses } from './home.ts';

/** Starts an execution and returns its id once an action runs, a retry waits and a question is open. */
export async function withAllOpen(home: Home, ...more: Node[]): Promise<string> {
  const executionId = await home.execute(
    await home.deploy({
      nodes: [
        ...more,
        action('long', 'testing.wait', { ms: 600_000 }),
        action('again', 'testing.fail', {}, { retry: { maximumAttempts: 3, initialIntervalMs: 600_000 } }),
        question('ask'),
        action('never', 'core.set', { values: {} }),
      ],
      edges: chain('ask', 'never'),
    }),
  );
  await home.until(executionId, (snapshot) => {
    const now = snapshot.executionPath ? statuses(snapshot) : {};
    return now.long === 'RUNNING' && now.again === 'RETRYING' && now.ask === 'NEEDS_INPUT';
  });
  return executionId;
}
