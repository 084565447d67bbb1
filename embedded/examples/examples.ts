import { apply, caller, type ExampleRun } from './calls.ts';
import { readExample } from './exampleFolder.ts';
import { runOrderApproval } from './orderApproval.ts';
import { runOrderDesk } from './orderDesk.ts';
import { runOrderSummary } from './orderSummary.ts';
import { runSupportAgent } from './supportAgent.ts';

/** The examples of `npm start -- --example`. Each function deploys and runs one, even on the data of earlier starts. */
const EXAMPLES: Record<string, (run: ExampleRun) => Promise<void>> = {
  'order-summary': runOrderSummary,
  'order-approval': runOrderApproval,
  'order-desk': runOrderDesk,
  'support-agent': runSupportAgent,
  'nightly-report': applied('nightly-report'),
  'webhook-to-queue': applied('webhook-to-queue'),
  'approval-two-persons': applied('approval-two-persons'),
  'import-with-states': applied('import-with-states'),
  'agent-in-workflow': applied('agent-in-workflow'),
  'fan-out': applied('fan-out'),
  ci: applied('ci'),
};

function applied(name: string): (run: ExampleRun) => Promise<void> {
  return async (run) => {
    const resources = await readExample(name);
    await apply(run, resources);
    run.say('');
    run.say(`Example ${name}: ${resources.map(({ kind, slug }) => `${kind} ${slug}`).join(', ')}`);
    run.say(`  examples/${name}/README.md says how to run it.`);
  };
}

/** The examples of a start without --example. */
export const SHOWN_FIRST = ['order-summary', 'order-approval'];

export function requireExamples(names: readonly string[]): void {
  const unknown = names.find((name) => !Object.hasOwn(EXAMPLES, name));
  if (unknown === undefined) return;
  throw new Error(`--example ${unknown}: expected one of ${Object.keys(EXAMPLES).join(', ')}`);
}

export async function runExamples(names: readonly string[], given: Omit<ExampleRun, 'call'>): Promise<void> {
  requireExamples(names);
  const run: ExampleRun = { call: caller(given.credentials), ...given };
  for (const name of names) await EXAMPLES[name]?.(run);
}

/** Examples that need a model; without a provider a script answers. */
export const NEED_MODEL: ReadonlySet<string> = new Set(['support-agent']);
