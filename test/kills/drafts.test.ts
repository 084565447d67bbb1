// test: long
import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { createAdHocExecution } from '../../prisma/store/execution/createExecution.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { action, chain, manual } from '../setup/workspace/graph.ts';

const { stack, home, database } = await ownHome();
const { workspaceId, projectId } = home;

const marked = (mark: string) => ({
  trigger: manual(),
  nodes: [action('far', 'testing.succeed', { output: mark })],
  edges: chain('far'),
});

test('kill -9 right after drafts were accepted: each runs once, with the draft of its start', async () => {
  const { body } = await home.api('POST', `/api/projects/${projectId}/workflows/drafts`, {
    body: { name: 'Killed', ...marked('first') },
  });
  const draft = `/api/workflows/${body.id}/draft`;
  const accepted = await Promise.all(
    Array.from({ length: 5 }, async () => (await home.api('POST', `${draft}/execute`, { body: {} })).body.executionId),
  );
  await stack.killMain();
  // Simulates an API that died before it called Temporal.
  const unsent = v7();
  await createAdHocExecution(database, workspaceId, {
    ...{ id: unsent, name: 'Killed', trigger: {}, variables: { names: [] }, requestId: 'r' },
    startedBy: { type: 'draft' },
    definition: marked('first') as never,
    workflow: { id: body.id, projectId, isInternal: false },
  });
  await stack.startAgain();
  await home.api('PUT', draft, { body: marked('second') });
  for (const executionId of [...accepted, unsent]) {
    const { status, output, executionPath } = await home.ended(executionId);
    expect({ status, output, steps: executionPath.length }).toEqual({ status: 'COMPLETED', output: 'first', steps: 1 });
  }
  const { body: listed } = await home.api('GET', '/api/executions?filterBy=draft:true');
  expect(listed).toHaveLength(accepted.length + 1);
});
