// test: pglite
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../prisma/client.ts';
import { deleteTombstones } from '../../prisma/store/deleteTombstones.ts';
import { insertKnowledgeRows } from '../setup/database/knowledgeRows.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';

// Deletions and their cascades follow the rule in prisma/sql/README.md.

let own: MigratedDatabase;
let database: Database;
beforeAll(async () => {
  own = await startMigratedDatabase();
  database = own.database;
});
afterAll(() => own?.dispose());

let workspaceId: string;
let userId: string;
let projectId: string;
let workflowId: string;
let errorWorkflowId: string;
let executionId: string;
let childId: string;
let retryId: string;

function run(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return database.pool.query(text, values).then(({ rows }) => rows);
}

/** Adds a row of this workspace to every table; other columns have values for NOT NULL. */
beforeEach(async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations'",
  );
  await run('DELETE FROM knowledge_bases');
  await run(`TRUNCATE ${rows.map(({ name }) => name).join(', ')}`);
  [workspaceId, userId, projectId, workflowId, errorWorkflowId, executionId, childId, retryId] = Array.from(
    { length: 8 },
    () => randomUUID(),
  ) as [string, string, string, string, string, string, string, string];
  await run('INSERT INTO workspaces (id, name) VALUES ($1, $2)', [workspaceId, 'bonds']);
  await run("INSERT INTO users (id, email, name, password_hash) VALUES ($1, 'a@example.com', 'A', 'x')", [userId]);
  await run("INSERT INTO trace_cursors (name, ended_at, id) VALUES ('executions', now(), $1)", [randomUUID()]);
  await run('INSERT INTO followed_workspaces (workspace_id, expires_at) VALUES ($1, now())', [workspaceId]);
  await run("INSERT INTO duty_leases (duty, shard, holder, expires_at) VALUES ('d', 0, $1, now())", [randomUUID()]);
  await run("INSERT INTO duty_workers (id, duties, expires_at) VALUES ($1, '{}', now())", [randomUUID()]);
  await run("INSERT INTO sweep_places (sweep, at, id, again_at) VALUES ('s', now(), $1, now())", [randomUUID()]);
  await run("INSERT INTO workspace_users (workspace_id, user_id, role) VALUES ($1, $2, 'owner')", [
    workspaceId,
    userId,
  ]);
  await run('INSERT INTO sessions (id, workspace_id, user_id, login_id, expires_at) VALUES ($1, $2, $3, $1, now())', [
    randomUUID(),
    workspaceId,
    userId,
  ]);
  const hash = () => randomBytes(32);
  await run("INSERT INTO second_factors (user_id, secret, key_id) VALUES ($1, '', 'k')", [userId]);
  await run('INSERT INTO backup_codes (user_id, code_hash) VALUES ($1, $2)', [userId, hash()]);
  await run('INSERT INTO pending_logins (token_hash, workspace_id, user_id, expires_at) VALUES ($1, $2, $3, now())', [
    hash(),
    workspaceId,
    userId,
  ]);
  await run(
    `INSERT INTO login_tokens (token_hash, workspace_id, user_id, asks_second_factor, expires_at)
     VALUES ($1, $2, $3, false, now())`,
    [hash(), workspaceId, userId],
  );
  await run(
    `INSERT INTO sso_logins (state_hash, provider_id, browser_hash, nonce, code_verifier, key_id, expires_at)
     VALUES ($1, 'p', $1, 'n', '', 'k', now())`,
    [hash()],
  );
  await run(
    "INSERT INTO invitations (id, workspace_id, email, name, role, invited_by_user_id) VALUES ($1, $2, 'b@example.com', 'B', 'owner', $3)",
    [randomUUID(), workspaceId, userId],
  );
  await run("INSERT INTO identities (provider_id, issuer, subject, user_id) VALUES ('p', 'i', 's', $1)", [userId]);
  await run("INSERT INTO login_failures (id, subject) VALUES ($1, 'ip:::1')", [randomUUID()]);
  await run("INSERT INTO outgoing_mails (id, sealed, key_id, expires_at) VALUES ($1, '', 'k', now())", [randomUUID()]);
  await run(
    `INSERT INTO audit_entries (id, workspace_id, action, resource_type, outcome, address, request_id)
     VALUES ($1, $2, 'createProject', 'project', 'success', '::1', 'r')`,
    [randomUUID(), workspaceId],
  );
  await run(
    "INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, permissions) VALUES ($1, $2, 'k', $3, 'p', '{}')",
    [randomUUID(), workspaceId, randomBytes(32)],
  );
  await run(
    `INSERT INTO idempotency_keys (workspace_id, operation, key, fingerprint, resource_id, locked_until, expires_at)
     VALUES ($1, 'o', 'k', '', $2, now(), now())`,
    [workspaceId, randomUUID()],
  );
  await run('INSERT INTO projects (id, workspace_id, name, created_by_user_id) VALUES ($1, $2, $3, $4)', [
    projectId,
    workspaceId,
    'p',
    userId,
  ]);
  await run("INSERT INTO variables (id, workspace_id, project_id, name, value) VALUES ($1, $2, $3, 'v', '1')", [
    randomUUID(),
    workspaceId,
    projectId,
  ]);
  const connectionId = randomUUID();
  await run(
    `INSERT INTO connections (id, workspace_id, workflow_app_id, connection_type, name, credentials, key_id)
     VALUES ($1, $2, 'http', 'basic', 'c', '', 'k')`,
    [connectionId, workspaceId],
  );
  await run(
    "INSERT INTO connection_assignments (connection_id, subject_type, subject_id) VALUES ($1, 'role', 'builder')",
    [connectionId],
  );
  await run(
    `INSERT INTO connection_authorizations (state_hash, workspace_id, ticket_hash, sealed, key_id, expires_at)
     VALUES ($1, $2, $1, '', 'k', now())`,
    [hash(), workspaceId],
  );
  await run("INSERT INTO deleted_workflows (id, workspace_id, name, orientation) VALUES ($1, $2, 'd', 'vertical')", [
    randomUUID(),
    workspaceId,
  ]);
  await run(
    `INSERT INTO deleted_connections (id, workspace_id, workflow_app_id, connection_type, credentials, key_id)
     VALUES ($1, $2, 'http', 'basic', '', 'k')`,
    [randomUUID(), workspaceId],
  );
  const objectTypeId = randomUUID();
  const objectId = randomUUID();
  await run("INSERT INTO object_types (id, workspace_id, slug, name) VALUES ($1, $2, 's', 'S')", [
    objectTypeId,
    workspaceId,
  ]);
  await run(
    `INSERT INTO event_subscriptions (id, workspace_id, url, events, secret, key_id)
     VALUES ($1, $2, 'https://x.example', ARRAY['object.changed'], '', 'k')`,
    [randomUUID(), workspaceId],
  );
  // Its trigger writes app_catalogues.
  const appId = randomUUID();
  await run("INSERT INTO apps (id, workspace_id, slug, name, digest) VALUES ($1, $2, 'a', 'A', 'd')", [
    appId,
    workspaceId,
  ]);
  await run("INSERT INTO app_secrets (workspace_id, app_id, secret, key_id) VALUES ($1, $2, '', 'k')", [
    workspaceId,
    appId,
  ]);
  await run("INSERT INTO app_versions (workspace_id, digest, slug, manifest) VALUES ($1, 'd', 'a', '{}')", [
    workspaceId,
  ]);
  await run("INSERT INTO app_contents (workspace_id, digest, content) VALUES ($1, 'c', '')", [workspaceId]);
  // Its trigger writes object_changes, whose trigger writes event_deliveries.
  await run("INSERT INTO objects (id, workspace_id, object_type_id, name, attributes) VALUES ($1, $2, $3, 'o', '{}')", [
    objectId,
    workspaceId,
    objectTypeId,
  ]);
  await run(
    `INSERT INTO object_state_changes (object_id, revision, id, to_state, changed_by_type, changed_by_id)
     VALUES ($1, 2, $2, 'a', 'user', $3)`,
    [objectId, randomUUID(), userId],
  );
  await insertWorkflow(errorWorkflowId, null);
  await insertWorkflow(workflowId, errorWorkflowId);
  await run('INSERT INTO workflow_drafts (workflow_id, workspace_id, body, base_version) VALUES ($1, $2, $3, 1)', [
    workflowId,
    workspaceId,
    '{}',
  ]);
  await run('INSERT INTO poll_storage (workflow_id, workspace_id) VALUES ($1, $2)', [workflowId, workspaceId]);
  await run("INSERT INTO poll_seen_keys (workflow_id, source, key_hash) VALUES ($1, 's', 'k')", [workflowId]);
  await run(
    `INSERT INTO webhook_deliveries (workspace_id, workflow_id, key_hash, execution_id, expires_at)
     VALUES ($1, $2, '', $3, now())`,
    [workspaceId, workflowId, randomUUID()],
  );
  await run(
    `INSERT INTO node_tests (id, workspace_id, workflow_id, version_id, node_id, request, expires_at)
     SELECT $1, workspace_id, id, version_id, 'n', '{}', now() FROM workflows WHERE id = $2`,
    [randomUUID(), workflowId],
  );
  await insertExecution(executionId, {});
  await insertExecution(childId, { parent: executionId });
  await insertExecution(retryId, { retryOf: executionId });
  const stepId = randomUUID();
  await run(
    `INSERT INTO execution_steps (id, execution_id, workspace_id, node_id, label, type, status)
     VALUES ($1, $2, $3, 'n', 'N', 'input', 'NEEDS_INPUT')`,
    [stepId, executionId, workspaceId],
  );
  await run("INSERT INTO lost_tries (execution_id, workspace_id, work) VALUES ($1, $2, 'node a ')", [
    executionId,
    workspaceId,
  ]);
  await run(
    "INSERT INTO loops_to_take_over (execution_id, workspace_id, loop_key, source_id, had_completed) VALUES ($1, $2, 'l', $1, false)",
    [executionId, workspaceId],
  );
  await run(
    `INSERT INTO execution_iterations (execution_id, loop_key, index, workspace_id, status)
     VALUES ($1, 'l', 0, $2, 'COMPLETED')`,
    [executionId, workspaceId],
  );
  await run(
    `INSERT INTO step_consoles (execution_id, node_id, workspace_id, attempt, lines) VALUES ($1, 'n', $2, 1, '[]')`,
    [executionId, workspaceId],
  );
  await run(
    `INSERT INTO pending_inputs (id, execution_id, workspace_id, node_id, label, fields, submissions)
     VALUES ($1, $2, $3, 'n', 'N', '[]', '[]')`,
    [stepId, executionId, workspaceId],
  );
  await run(
    `INSERT INTO step_waits (execution_id, node_id, workspace_id, kind, awaited) VALUES ($1, 'n', $2, 'connection', $3)`,
    [executionId, workspaceId, connectionId],
  );
  await run(
    `INSERT INTO credential_tokens (execution_id, node_id, workspace_id, connection_id, hash, expires_at)
     VALUES ($1, 'n', $2, $3, '\\x00', now())`,
    [executionId, workspaceId, connectionId],
  );

  await run(`INSERT INTO execution_secrets (root_id, digest, workspace_id, value) VALUES ($1, 'd', $2, 's')`, [
    executionId,
    workspaceId,
  ]);
  const [queueId, itemId] = [randomUUID(), randomUUID()];
  await run(
    "INSERT INTO queues (id, workspace_id, project_id, name, created_by_user_id) VALUES ($1, $2, $3, 'q', $4)",
    [queueId, workspaceId, projectId, userId],
  );
  await run(
    `INSERT INTO queue_items (id, workspace_id, queue_id, data, metadata, status, execution_id, last_execution_id)
     VALUES ($1, $2, $3, '{}', '{}', 'PROCESSING', $4, $4)`,
    [itemId, workspaceId, queueId, executionId],
  );
  await run('SELECT fail_queue_items($1, ARRAY[$2]::uuid[], \'{"message": "m"}\', $3, NULL)', [
    workspaceId,
    itemId,
    executionId,
  ]);
  await run("UPDATE queue_items SET status = 'FAILED', due_at = NULL, processing_completed_at = now() WHERE id = $1", [
    itemId,
  ]);
  await run("UPDATE queue_items SET status = 'PROCESSING', due_at = NULL, execution_id = $2 WHERE id = $1", [
    itemId,
    executionId,
  ]);
  await run('INSERT INTO queue_consumers (workflow_id, workspace_id, queue_id) VALUES ($1, $2, $3)', [
    workflowId,
    workspaceId,
    queueId,
  ]);
  const [agentId, grantId] = [randomUUID(), randomUUID()];
  await run(
    "INSERT INTO agents (id, workspace_id, project_id, slug, name, definition, hash) VALUES ($1, $2, $3, 'a', 'A', '{}', '')",
    [agentId, workspaceId, projectId],
  );
  await run(
    "INSERT INTO agent_self_instructions (agent_id, version, instructions, run_id) VALUES ($1, 1, 'Be brief.', $2)",
    [agentId, randomUUID()],
  );
  await run(
    "INSERT INTO agent_memories (id, workspace_id, agent_id, user_id, fact, digest) VALUES ($1, $2, $3, $4, 'A fact', $5)",
    [randomUUID(), workspaceId, agentId, userId, hash()],
  );
  await run('INSERT INTO share_grants (id, workspace_id, agent_id, user_id) VALUES ($1, $2, $3, $4)', [
    grantId,
    workspaceId,
    agentId,
    userId,
  ]);
  await run('SELECT take_grant_message($1, $2, $3, NULL, $4)', [workspaceId, agentId, userId, randomUUID()]);
  const taskId = randomUUID();
  await run(
    "INSERT INTO tasks (id, client_id, workspace_id, agent_id, created_by_user_id) VALUES ($1, 't', $2, $3, $4)",
    [taskId, workspaceId, agentId, userId],
  );
  await run("INSERT INTO task_messages (task_id, id, position, role, parts) VALUES ($1, 'm', 2, 'user', '[]')", [
    taskId,
  ]);
  const runId = randomUUID();
  await run(
    "INSERT INTO task_runs (id, workspace_id, task_id, number, status, message_id, steps) VALUES ($1, $2, $3, 1, 'RUNNING', 'a', '[]')",
    [runId, workspaceId, taskId],
  );
  await run("INSERT INTO run_chunks (run_id, sequence, step, attempt, payload) VALUES ($1, 1, 1, 1, '[]')", [runId]);
  await run(
    `INSERT INTO run_tool_calls (run_id, tool_call_id, step, position, name, kind, status, input)
     VALUES ($1, 'c', 1, 0, 'n', 'action', 'PENDING', '{}')`,
    [runId],
  );
  await insertKnowledgeRows(database, workspaceId);
  await run("UPDATE executions SET status = 'FAILED', stopped_at = now() WHERE id = $1", [executionId]);
});

async function insertWorkflow(id: string, onFailure: string | null): Promise<void> {
  await run(
    `WITH made AS (
       INSERT INTO workflows (id, workspace_id, project_id, slug, name, version_id, version, on_failure_workflow_id)
       VALUES ($1::uuid, $2, $3, $1::uuid::text, 'w', $4, 1, $5) RETURNING *)
     INSERT INTO workflow_versions (id, workspace_id, workflow_id, version, definition, hash)
     SELECT version_id, workspace_id, id, 1, '{"trigger": {"type": "schedule"}}', '' FROM made`,
    [id, workspaceId, projectId, randomUUID(), onFailure],
  );
  // The trigger on workflows adds the schedule's row if the version exists; here it did not yet.
  await run('UPDATE workflows SET name = name WHERE id = $1', [id]);
}

async function insertExecution(id: string, of: { parent?: string; retryOf?: string }): Promise<void> {
  await run(
    `INSERT INTO executions (id, workspace_id, project_id, workflow_id, version_id, number, name, source, trigger,
       variables, parent_execution_id, retry_of_id, root_id)
     SELECT $1, workspace_id, project_id, id, version_id, 1, 'e', 'WORKFLOW', '{}', '{}', $3::uuid, $4::uuid,
       coalesce($3::uuid, $4::uuid)
     FROM workflows WHERE id = $2`,
    [id, workflowId, of.parent ?? null, of.retryOf ?? null],
  );
}

async function vectorTables(): Promise<string[]> {
  const names = await run(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'knowledge'::regnamespace AND relkind = 'r'",
  );
  return names.map(({ name }) => String(name));
}

async function rowsByTable(): Promise<Record<string, number>> {
  const tables = await run(`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations'`);
  const counted = await Promise.all(
    tables.map(async ({ name }) => [name, (await run(`SELECT count(*)::int AS n FROM ${name}`))[0]?.n]),
  );
  return Object.fromEntries(counted);
}

test('deletes everything of a workspace; a schedule stays until the engine has deleted it', async () => {
  const before = await rowsByTable();
  expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
  const revisions = () => run('SELECT revision::int AS revision FROM workflow_schedules ORDER BY revision');
  const earlier = await revisions();
  expect(await vectorTables()).toHaveLength(1);
  await run('DELETE FROM workspaces WHERE id = $1', [workspaceId]);
  const left = Object.entries(await rowsByTable()).filter(([, count]) => count > 0);
  const ofPeople = ['backup_codes', 'identities', 'login_failures', 'second_factors', 'sso_logins', 'users'];
  // The audit log outlives the workspace.
  const ofDeployment = [
    'audit_entries',
    'database_systems',
    'duty_leases',
    'duty_workers',
    'outgoing_mails',
    'sweep_places',
    'trace_cursors',
    'workflow_schedules',
  ];
  expect(left.map(([name]) => name).sort()).toEqual([...ofPeople, ...ofDeployment].sort());
  expect(await vectorTables()).toEqual([]);
  // Each schedule is due, so the reconciler removes it from the engine.
  expect(await revisions()).toEqual(earlier.map(({ revision }) => ({ revision: Number(revision) + 1 })));
});

describe('rows that stay while others refer to them', () => {
  const refused = /violates (RESTRICT setting of )?foreign key constraint/;

  test('the version of a workflow, and what executions need of one that was deleted', async () => {
    await expect(run('DELETE FROM workflow_versions WHERE workflow_id = $1', [workflowId])).rejects.toThrow(refused);
    await run('DELETE FROM workflows WHERE id = $1', [workflowId]);
    await expect(run('DELETE FROM workflow_versions WHERE workflow_id = $1', [workflowId])).rejects.toThrow(refused);
    expect(await run('SELECT name, on_failure_workflow_id FROM deleted_workflows WHERE id = $1', [workflowId])).toEqual(
      [{ name: 'w', on_failure_workflow_id: errorWorkflowId }],
    );
    const forgotten = async () => {
      await run("UPDATE deleted_workflows SET deleted_at = now() - interval '2 hours'");
      await deleteTombstones(database, 'deleted_workflows', 100);
      return (await run('SELECT FROM workflow_versions WHERE workflow_id = $1', [workflowId])).length === 0;
    };
    expect(await forgotten()).toBe(false);
    await run('DELETE FROM executions WHERE workflow_id = $1', [workflowId]);
    expect(await forgotten()).toBe(true);
    expect(await rowsByTable()).toMatchObject({
      poll_storage: 0,
      poll_seen_keys: 0,
      webhook_deliveries: 0,
      node_tests: 0,
    });
  });

  test('the newest version of a workflow, and only a version of its own', async () => {
    await expect(
      run('UPDATE workflows SET version_id = (SELECT version_id FROM workflows WHERE id = $2) WHERE id = $1', [
        workflowId,
        errorWorkflowId,
      ]),
    ).rejects.toThrow(refused);
  });

  test('the error workflow of another', async () => {
    await expect(run('DELETE FROM workflows WHERE id = $1', [errorWorkflowId])).rejects.toThrow(refused);
    await run('UPDATE workflows SET on_failure_workflow_id = NULL');
    await run('DELETE FROM workflows WHERE id = $1', [errorWorkflowId]);
  });

  test('a project with workflows', async () => {
    await expect(run('DELETE FROM projects WHERE id = $1', [projectId])).rejects.toThrow(refused);
  });
});

test('deletes the rows of an execution; a child and a retry lose the reference', async () => {
  await run('DELETE FROM executions WHERE id = $1', [executionId]);
  expect(await rowsByTable()).toMatchObject({
    executions: 2,
    execution_steps: 0,
    execution_iterations: 0,
    lost_tries: 0,
    loops_to_take_over: 0,
    step_consoles: 0,
    pending_inputs: 0,
    failure_handlings: 0,
    execution_secrets: 0,
  });
  expect(await run('SELECT DISTINCT parent_execution_id, retry_of_id, root_id FROM executions')).toEqual([
    { parent_execution_id: null, retry_of_id: null, root_id: null },
  ]);
  expect(await run('SELECT status, execution_id, last_execution_id FROM queue_items')).toEqual([
    { status: 'PROCESSING', execution_id: null, last_execution_id: null },
  ]);
});

test('a person who leaves a workspace has no session there; their resources stay', async () => {
  await run('DELETE FROM workspace_users WHERE user_id = $1', [userId]);
  expect(await rowsByTable()).toMatchObject({ sessions: 0, users: 1 });
  await run('DELETE FROM users WHERE id = $1', [userId]);
  expect(await run('SELECT created_by_user_id FROM projects')).toEqual([{ created_by_user_id: null }]);
  expect(await run('SELECT created_by_user_id FROM tasks')).toEqual([{ created_by_user_id: null }]);
  expect(await rowsByTable()).toMatchObject({ share_grants: 0, grant_messages: 0 });
});
