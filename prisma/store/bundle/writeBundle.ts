import type { BundleKind } from '../../../domain/bundle/bundle.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { ENDED } from '../execution/endedStatus.ts';

const TABLES = {
  agent: 'agents',
  app: 'apps',
  knowledge: 'knowledge_bases',
  objectType: 'object_types',
  queue: 'queues',
  variable: 'variables',
  workflow: 'workflows',
} as const satisfies Record<BundleKind, string>;

/** Their rows have `managed_by_code` and belong to one project. */
const IN_ONE_PROJECT: readonly BundleKind[] = ['agent', 'workflow'];

export interface LastApply {
  /** The request's id, the same for each try with its Idempotency-Key. Null: no bundle was ever applied. */
  id: string | null;
  answer: Json;
  /** The project's slug. */
  slug: string;
}

/** Returns undefined if the workspace has no such project. */
export async function readLastApply(
  database: Database,
  workspaceId: string,
  projectId: string,
): Promise<LastApply | undefined> {
  const [row] = await rowsOf<LastApply>(
    database,
    Prisma.sql`SELECT last_apply_id AS id, last_apply AS answer, slug FROM projects
      WHERE id = ${projectId}::uuid AND workspace_id = ${workspaceId}::uuid`,
  );
  return row;
}

/** Lets one bundle at a time be applied in a workspace, until the end of the transaction. */
export async function takeTurn(database: Database, workspaceId: string): Promise<void> {
  await database.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('apply ' || ${workspaceId}::text, 0))::text`;
}

export async function holdRows(database: Database, workspaceId: string, ids: readonly string[]): Promise<void> {
  for (const table of Object.values(TABLES).sort()) {
    // Raw: it locks table by table and in the order of ids, so that two calls cannot deadlock.
    await rowsOf(
      database,
      Prisma.sql`SELECT id FROM ${Prisma.raw(table)}
        WHERE workspace_id = ${workspaceId}::uuid AND id = ANY (${[...ids]}::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    );
  }
}

export async function markApplied(
  database: Database,
  workspaceId: string,
  { projectId, owner }: { projectId: string; owner: string },
  kind: BundleKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const project = IN_ONE_PROJECT.includes(kind) ? Prisma.empty : Prisma.sql`, applied_project_id = ${projectId}::uuid`;
  await database.$executeRaw(Prisma.sql`
    UPDATE ${Prisma.raw(TABLES[kind])} SET applied_owner = ${owner}${project}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ANY (${[...ids]}::uuid[])`);
}

/** Returns how many rows had their old slug and got the new one. */
export async function renameRows(
  database: Database,
  workspaceId: string,
  kind: BundleKind,
  renames: readonly { id: string; slug: string; to: string }[],
): Promise<number> {
  if (renames.length === 0) return 0;
  const column = Prisma.raw(kind === 'variable' ? 'name' : 'slug');
  if (kind === 'app') await renameAppOfConnections(database, workspaceId, renames);
  return database.$executeRaw(Prisma.sql`
    UPDATE ${Prisma.raw(TABLES[kind])} t SET ${column} = r."to"
    FROM jsonb_to_recordset(${JSON.stringify(renames)}::jsonb) AS r(id uuid, slug text, "to" text)
    WHERE t.workspace_id = ${workspaceId}::uuid AND t.id = r.id AND t.${column} = r.slug`);
}

async function renameAppOfConnections(
  database: Database,
  workspaceId: string,
  renames: readonly { slug: string; to: string }[],
): Promise<void> {
  await database.$executeRaw(Prisma.sql`
    UPDATE connections c SET workflow_app_id = r."to"
    FROM jsonb_to_recordset(${JSON.stringify(renames)}::jsonb) AS r(slug text, "to" text)
    WHERE c.workspace_id = ${workspaceId}::uuid AND c.workflow_app_id = r.slug`);
}

export async function noteApply(
  database: Database,
  workspaceId: string,
  projectId: string,
  { id, answer }: Pick<LastApply, 'id' | 'answer'>,
): Promise<void> {
  await database.$executeRaw`
    UPDATE projects SET last_apply_id = ${id}::uuid, last_apply = ${JSON.stringify(answer)}::json
    WHERE id = ${projectId}::uuid AND workspace_id = ${workspaceId}::uuid`;
}

export async function countOpenExecutions(
  database: Database,
  workspaceId: string,
  workflowIds: readonly string[],
): Promise<Map<string, number>> {
  if (workflowIds.length === 0) return new Map();
  const rows = await rowsOf<{ id: string; count: number }>(
    database,
    Prisma.sql`SELECT workflow_id AS id, count(*)::int AS count FROM executions
      WHERE workspace_id = ${workspaceId}::uuid AND workflow_id = ANY (${[...workflowIds]}::uuid[])
        AND status NOT IN ${ENDED}
      GROUP BY workflow_id`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}
