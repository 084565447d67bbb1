import { action, chain } from '../../setup/workspace/graph.ts';
import { ownApp, ownWorker } from '../../setup/workspace/ownWorker.ts';
import { execute, type Recipes } from './recipe.ts';

/** More than the region returns itself, so it is read in a call of its own. */
const LARGE = 'x'.repeat(5_000);

/** Steps on a customer's worker: a failed attempt, a large argument, a workflow. */
export const WORKERS = {
  async onWorker(home) {
    const app = await ownApp(home);
    const work = async ({ call }: { call: { attempt: number } }) => {
      if (call.attempt === 1) throw new Error('first');
      return call.attempt;
    };
    const judged = async () => ({ ok: true });
    const double = async ({ value }: { value: number }) => 2 * value;
    await ownWorker(app, { work, judged, double }, { withWorkflows: true });
    const retry = { maximumAttempts: 2, initialIntervalMs: 20 };
    const id = await execute(home, {
      nodes: [
        action('again', `${app.slug}.work`, { value: 1 }, { retry }),
        action('large', `${app.slug}.judged`, { value: LARGE }),
        action('child', `${app.slug}.twice`, { value: 21 }),
      ],
      edges: chain('again', 'large', 'child'),
    });
    // The worker ends with this recipe's test, and its workflow must not.
    await home.finished(id);
    return id;
  },
} satisfies Recipes;
