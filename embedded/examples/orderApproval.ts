import { apply, type ExampleCall, type ExampleRun, idOf, pathTable, readWhen } from './calls.ts';
import { readExample } from './exampleFolder.ts';

/** Runs an order over the limit that waits for a person, across any number of restarts. */
export async function runOrderApproval(run: ExampleRun): Promise<void> {
  const { call, credentials, namespace, say } = run;
  await apply(run, await readExample('order-approval'));
  const workflowId = await idOf(run, 'workflows', 'example-order-approval');
  const kept = await findWaiting(call, workflowId);
  const order = { customer: 'Grace', total: 4200 };
  const executionId =
    kept ?? (await call('POST', `/api/webhooks/workflows/${workflowId}`, order)).headers.get('x-execution-id') ?? '';
  const execution = await readWhen(call, executionId, ({ status }) => !['PENDING', 'RUNNING'].includes(status));
  say('');
  say(
    `Example order-approval, examples/order-approval: an order over the limit ${kept ? 'still waits' : 'waits'} for a person`,
  );
  for (const line of pathTable(execution.executionPath)) say(line);
  say(`  ${execution.status}. Approve it (or "reject"):`);
  say('');
  say(`  curl -X POST ${credentials.url}/api/webhooks/executions/${executionId}/nodes/approval/input \\`);
  say(`    -H "X-API-Key: ${credentials.apiKey}" -H 'Content-Type: application/json' \\`);
  say(`    -d '{"decision": "approve", "comment": "fine"}'`);
  say('');
  say('  and see how it ended:');
  say('');
  say(`  curl -H "X-API-Key: ${credentials.apiKey}" \\`);
  say(`    "${credentials.url}/api/executions/${executionId}?expansion=status,output,executionPath"`);
  say('');
  if (credentials.temporalUiUrl !== null) {
    say(
      `  The execution in the Temporal UI: ${credentials.temporalUiUrl}/namespaces/${namespace}/workflows/${executionId}`,
    );
  }
}

/** Returns the waiting execution of an earlier start, so that restarts do not add more. */
async function findWaiting(call: ExampleCall, workflowId: string): Promise<string | undefined> {
  const { json } = await call('GET', `/api/executions?filterBy=workflowId:${workflowId}&expansion=status&limit=100`);
  return (json as { id: string; status: string }[]).find(({ status }) => status === 'NEEDS_INPUT')?.id;
}
