// test: long
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import type { Permission } from '../../domain/access/permission.ts';
import type { Viewer } from '../../domain/access/viewer.ts';
import { refusalOf, type Submitter } from '../../domain/execution/submission.ts';
import type { Submitters } from '../../domain/workflow/submitters.ts';
import type { Database } from '../../prisma/client.ts';
import { listQuestions } from '../../prisma/store/execution/listQuestions.ts';
import { readSubmitter } from '../../prisma/store/workspaceUser/readSubmitter.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';

const MUCH = 1_000_000;
let own: MigratedDatabase;
let workspaceId: string;

beforeAll(async () => {
  own = await startMigratedDatabase();
  workspaceId = await insertOwnWorkspace(own.database);
}, 90_000);
afterAll(() => own?.dispose());

/** Disables foreign keys, which are not under test. */
async function insert(text: string, values: unknown[]): Promise<void> {
  const client = await own.database.pool.connect();
  await client.query('BEGIN');
  await client.query('SET LOCAL session_replication_role = replica');
  await client.query(text, values);
  await client.query('COMMIT');
  client.release();
}

interface Rule {
  submitters: Submitters;
  required: number;
  excludeStarter: boolean;
  starters: string[];
  given: string[];
  expiresInMs: number | null;
}

async function ask(rules: readonly Rule[], workspace = workspaceId, workflowId = v7()): Promise<string[]> {
  const rows = rules.map((rule, index) => ({
    ...{ ...rule, id: v7(), execution: v7(), at: index },
    given: rule.given.map((person) => ({ person, values: {}, at: '' })),
  }));
  await insert(
    `INSERT INTO executions (id, workspace_id, version_id, workflow_id, number, name, source, status, trigger, variables, starters)
     SELECT x.execution, $1, gen_random_uuid(), $3, 1, 'w', 'WORKFLOW', 'NEEDS_INPUT', '{}', '{}', x.starters
     FROM jsonb_to_recordset($2::jsonb) AS x(execution uuid, starters uuid[])`,
    [workspace, JSON.stringify(rows), workflowId],
  );
  await insert(
    `INSERT INTO pending_inputs (id, execution_id, workspace_id, node_id, label, fields, required, submitters, exclude_starter,
       submissions, requested_at, expires_at)
     SELECT x.id, x.execution, $1, 'ask', 'Ask', '[]', x.required, x.submitters, x."excludeStarter", x.given,
       now() + make_interval(secs => x.at), now() + x."expiresInMs" * interval '1 millisecond'
     FROM jsonb_to_recordset($2::jsonb) AS x(id uuid, execution uuid, required int, submitters jsonb, "excludeStarter" boolean,
       given jsonb, at int, "expiresInMs" int)`,
    [workspace, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}

const OPEN: Rule = {
  submitters: 'anyone',
  required: 1,
  excludeStarter: false,
  starters: [],
  given: [],
  expiresInMs: null,
};

function everyMix<T extends object>(choices: { [Key in keyof T]: T[Key][] }): T[] {
  return Object.entries<unknown[]>(choices).reduce<object[]>(
    (mixes, [name, values]) => mixes.flatMap((mix) => values.map((value) => ({ ...mix, [name]: value }))),
    [{}],
  ) as T[];
}

async function member(role: string | null): Promise<{ id: string; email: string }> {
  const [id, email] = [v7(), `${v7()}@test.local`];
  await own.database.user.create({ data: { id, email, name: 'somebody' } });
  if (role !== null) await own.database.workspaceUser.create({ data: { workspaceId, userId: id, role } });
  return { id, email };
}

async function keyOf(more: { createdByUserId?: string; madeByApiKeyId?: string }): Promise<string> {
  const id = v7();
  const row = { id, workspaceId, name: 'key', keyHash: Buffer.from(id), prefix: 'pdr_', permissions: [] };
  await own.database.apiKey.create({ data: { ...row, ...more } });
  return id;
}

function readable(query = own.database.pool.query.bind(own.database.pool) as unknown): Database {
  return { pool: { query }, revealSecrets: () => [], linkOf: () => 'a link' } as unknown as Database;
}

const all = async (viewer: Viewer, filterBy: string) =>
  (await listQuestions(readable(), viewer, { filterBy, limit: 1_000 }, MUCH)).items.map(({ stepId }) => stepId);

test('the filter for own questions matches exactly those that accept the answer', async () => {
  const [owner, consumer, gone] = [await member('owner'), await member('consumer'), await member(null)];
  const [ofOwner, operators, ofGone] = [
    await keyOf({ createdByUserId: owner.id }),
    await keyOf({}),
    await keyOf({ createdByUserId: gone.id }),
  ];
  const ofOperators = await keyOf({ madeByApiKeyId: operators });
  const persons = [owner.id, consumer.id, gone.id, operators];
  const lists: Submitters[] = [
    ['owner'],
    ['consumer'],
    [owner.email],
    [gone.email, 'operator'],
    [consumer.email, 'owner'],
  ];
  const rules = everyMix<Rule>({
    submitters: ['anyone', 'link', 'members', ...lists],
    required: [1, 2],
    excludeStarter: [false, true],
    starters: [[], [owner.id], [operators, consumer.id]],
    given: [[], ...persons.map((person) => [person])],
    expiresInMs: [null, 600_000, -1],
  }).filter(({ required, given }) => required > given.length);
  const ids = await ask(rules);
  const kinds: [type: 'user' | 'apiKey', id: string][] = [
    ['user', owner.id],
    ['user', consumer.id],
    ['apiKey', ofOwner],
    ['apiKey', operators],
    ['apiKey', ofOperators],
    ['apiKey', ofGone],
  ];
  let answerable = 0;
  for (const [type, id] of kinds) {
    for (const permissions of [[], ['executions:read', 'executions:run']] as Permission[][]) {
      const access = { workspaceId, permissions: new Set(permissions) };
      const viewer: Viewer =
        type === 'user' ? { ...access, kind: 'user', userId: id } : { ...access, kind: 'apiKey', apiKeyId: id };
      const known = await readSubmitter(own.database, workspaceId, { type, id });
      const submitter = { ...known, permissions: access.permissions } as Submitter;
      const takes = ({ given, required, expiresInMs, starters, ...rule }: Rule) =>
        (expiresInMs === null || expiresInMs > 0) &&
        !(required > 1 && given.includes(submitter.person)) &&
        refusalOf({ ...rule, required }, submitter, starters) === undefined;
      const expected = ids.filter((_, index) => takes(rules[index] as Rule));
      answerable += expected.length;
      expect(await all(viewer, 'mine:true')).toEqual(expected);
      expect(await all(viewer, 'mine:false')).toEqual(ids.filter((stepId) => !expected.includes(stepId)));
    }
  }
  expect(answerable).toBeGreaterThan(ids.length);
  expect(answerable).toBeLessThan(ids.length * kinds.length);
});

const viewerOf = (workspace: string): Viewer => ({
  kind: 'apiKey',
  apiKeyId: v7(),
  workspaceId: workspace,
  permissions: new Set(['executions:read']),
});

test('pages continue where the previous one ended, each as long as its questions allow', async () => {
  const workspace = await insertOwnWorkspace(own.database);
  const ids = await ask(
    Array.from({ length: 7 }, () => OPEN),
    workspace,
  );
  await own.database.pool.query(`UPDATE pending_inputs SET instructions = repeat('x', 1000) WHERE workspace_id = $1`, [
    workspace,
  ]);
  const pages = async (limit: number, bytes: number) => {
    const lengths: number[] = [];
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit, ...(cursor === undefined ? {} : { cursor }) };
      const page = await listQuestions(readable(), viewerOf(workspace), query, bytes);
      lengths.push(page.items.length);
      seen.push(...page.items.map(({ stepId }) => stepId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(ids);
    return lengths;
  };
  expect(await pages(3, MUCH)).toEqual([3, 3, 1]);
  expect(await pages(7, MUCH)).toEqual([7]);
  // Two fit into the limit; a page always has one, however long it is.
  expect(await pages(5, 2_500)).toEqual([2, 2, 2, 1]);
  expect(await pages(5, 10)).toEqual([1, 1, 1, 1, 1, 1, 1]);
});

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Index Name'?: string;
  Plans?: Plan[];
}
const nodesOf = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

async function touched(viewer: Viewer, filterBy?: string) {
  const seen: [string, unknown[]][] = [];
  const query = (text: string, values: unknown[]) => {
    seen.push([text, values]);
    return own.database.pool.query(text, values);
  };
  await listQuestions(readable(query), viewer, { limit: 10, ...(filterBy === undefined ? {} : { filterBy }) }, MUCH);
  expect(seen).toHaveLength(1);
  const { rows } = await own.database.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${seen[0]?.[0]}`, seen[0]?.[1]);
  const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  const most = nodes.map(
    (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
  );
  return { most: Math.max(...most), indexes: nodes.map((node) => node['Index Name']) };
}

test('a page reads open questions alone, whatever else there is: of all, and of one workflow', async () => {
  const workspace = await insertOwnWorkspace(own.database);
  const workflowId = v7();
  await insert(
    `INSERT INTO executions (id, workspace_id, version_id, workflow_id, number, name, source, status, trigger, variables)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), $2, i, 'w', 'WORKFLOW', 'COMPLETED', '{}', '{}' FROM generate_series(1, 20000) i`,
    [workspace, workflowId],
  );
  await insert(
    `INSERT INTO pending_inputs (id, execution_id, workspace_id, node_id, label, fields, status, submissions)
     SELECT gen_random_uuid(), e.id, $1, 'ask', 'Ask', '[]', 'APPLIED', '[]' FROM executions e WHERE e.workspace_id = $1`,
    [workspace],
  );
  const others = Array.from({ length: 30 }, () => OPEN);
  await ask(others, workspace);
  await ask(others, workspace, workflowId);
  await own.database.pool.query('VACUUM ANALYZE executions, pending_inputs');
  for (const filterBy of [undefined, `workflowId:${workflowId}`, 'mine:true']) {
    const { most, indexes } = await touched(viewerOf(workspace), filterBy);
    expect(indexes).toContain('pending_inputs_open_idx');
    expect(most).toBeLessThanOrEqual(60);
  }
});

test('the questions of chosen executions are read by those, however many the workspace has open', async () => {
  const workspace = await insertOwnWorkspace(own.database);
  const ids = await ask(
    Array.from({ length: 20_000 }, () => OPEN),
    workspace,
  );
  await own.database.pool.query('VACUUM ANALYZE executions, pending_inputs');
  const newest = ids.slice(-100);
  const { rows } = await own.database.pool.query(
    'SELECT execution_id FROM pending_inputs WHERE id = ANY ($1::uuid[])',
    [newest],
  );
  const filterBy = `executionId:${rows.map(({ execution_id }) => execution_id).join('|')}`;
  expect(filterBy.length).toBeLessThanOrEqual(4_000);
  expect(await all(viewerOf(workspace), filterBy)).toEqual(newest);
  const { most, indexes } = await touched(viewerOf(workspace), filterBy);
  expect(indexes).toContain('pending_inputs_execution_id_node_id_iteration_key');
  expect(most).toBeLessThanOrEqual(100);
});
