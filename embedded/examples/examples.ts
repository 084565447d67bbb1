import { caller, type ExampleRun } from './calls.ts';
import { runOrderApproval } from './orderApproval.ts';
import { runOrderDesk } from './orderDesk.ts';
import { runOrderSummary } from './orderSummary.ts';
import { runSupportAgent } from './supportAgent.ts';

/**
 * Names of `npm start -- --example`, each with what deploys it and runs it before the reader's eyes. It may find what a start
 * before it has left, and then goes on with that.
 */
const EXAMPLES: Record<string, (run: ExampleRun) => Promise<void>> = {
  'order-summary': runOrderSummary,
  'order-approval': runOrderApproval,
  'order-desk': runOrderDesk,
  'support-agent': runSupportAgent,
};

/** Without being asked for. */
export const SHOWN_FIRST = ['order-summary', 'order-approval'];

/** Throws for a name that is none. */
export function requireExamples(names: readonly string[]): void {
  const unknown = names.find((name) => !Object.hasOwn(EXAMPLES, name));
  if (unknown === undefined) return;
  throw new Error(`--example ${unknown}: expected one of ${Object.keys(EXAMPLES).join(', ')}`);
}

/** One after the other. Throws what a call says that fails. */
export async function runExamples(names: readonly string[], given: Omit<ExampleRun, 'call'>): Promise<void> {
  requireExamples(names);
  const run: ExampleRun = { call: caller(given.credentials), ...given };
  for (const name of names) await EXAMPLES[name]?.(run);
}

/** These need a model: where the deployment has no provider, a script answers. */
export const NEED_MODEL: ReadonlySet<string> = new Set(['support-agent']);
