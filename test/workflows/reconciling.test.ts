import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { createWorkflowExecution } from '../../prisma/store/execution/createExecution.ts';
import { readWorkflowHead } from '../../prisma/store/workflow/readWorkflowHead.ts';
import { action } from '../setup/graph.ts';
import { type Home, makeHome } from '../setup/home.ts';
import { stackDatabase } from '../setup/workspace.ts';

const LOST = 5;

/** A workflow's executions as they are when the process that took them has died. */
async function lostStarts({ workspaceId }: Home, workflowId: string): Promise<string[]> {
  const head = await readWorkflowHead(stackDatabase(), workspaceId, workflowId);
  if (!head) throw new Error('no workflow');
  const ids = Array.from({ length: LOST }, () => v7());
  for (const id of ids) {
    const execution = { id, trigger: {}, variables: { names: [] }, requestId: 'lost' };
    await createWorkflowExecution(stackDatabase(), workspaceId, { workflowId, versionId: head.versionId }, execution);
  }
  return ids;
}

test('executions that cannot be started hold up no others, and can be cancelled', async () => {
  const home = await makeHome();
  const graph = { nodes: [action('a', 'testing.succeed', { output: 1 })] };
  const broken = await home.deploy(graph);
  // Stored by another build, say.
  await stackDatabase().$executeRaw`
    UPDATE workflow_versions SET definition = '{"nodes": 1}' WHERE workflow_id = ${broken}::uuid`;
  const stuck = await lostStarts(home, broken);
  const lost = await lostStarts(home, await home.deploy(graph));
  for (const id of lost) expect(await home.ended(id)).toMatchObject({ status: 'COMPLETED', output: 1 });
  for (const id of stuck) {
    expect((await home.read(id)).status).toBe('PENDING');
    const { status, body } = await home.api('POST', `/api/executions/${id}/cancel`);
    expect([status, body.status]).toEqual([200, 'CANCELLED']);
  }
});
