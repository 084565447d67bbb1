import { apply, type ExampleRun, idOf, pathTable, readWhen } from './calls.ts';
import { readExample } from './exampleFolder.ts';

export async function runOrderSummary(run: ExampleRun): Promise<void> {
  const { call, say } = run;
  await apply(run, await readExample('order-summary'));
  const workflowId = await idOf(run, 'workflows', 'example-order-summary');
  const order = {
    customer: 'Ada',
    items: [
      { name: 'pencil', price: 1.5, quantity: 10 },
      { name: 'notebook', price: 4, quantity: 25 },
    ],
  };
  const startedAt = performance.now();
  const { json, headers } = await call('POST', `/api/webhooks/workflows/${workflowId}`, order);
  const tookMs = Math.round(performance.now() - startedAt);
  const executionId = headers.get('x-execution-id') ?? '';
  const execution = await readWhen(call, executionId, ({ status }) => status === 'COMPLETED' || status === 'FAILED');
  say('');
  say(`Example order-summary, examples/order-summary: webhook → three transformations and a condition → answer`);
  for (const line of pathTable(execution.executionPath)) say(line);
  say(
    `  ${execution.status}${execution.statusMessage ? `: ${execution.statusMessage}` : ''}, answered in ${tookMs} ms:`,
  );
  say(`  ${JSON.stringify(json)}`);
}
