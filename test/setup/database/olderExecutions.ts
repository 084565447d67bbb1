import { stackDatabase } from '../workspace/workspace.ts';

/** Inserts `count` ended executions like this one, each a second older than the one before. */
export async function olderExecutions(executionId: string, count: number): Promise<void> {
  await stackDatabase().$executeRaw`
    INSERT INTO executions (id, workspace_id, version_id, workflow_id, workflow_version, number, name, source, status, trigger,
      variables, started_by_type, labels, started_at, stopped_at)
    SELECT gen_random_uuid(), e.workspace_id, e.version_id, e.workflow_id, 1, 1 + i, 'Older ' || i, 'WORKFLOW', 'COMPLETED', '{}',
      '{}', 'apiKey', '{}', e.started_at - make_interval(secs => i), e.started_at
    FROM executions e, generate_series(1, ${count}::int) AS i WHERE e.id = ${executionId}::uuid`;
}
