import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { Json } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { type Expected, isAsExpected, rowTag, STALE } from '../rowTag.ts';

export interface AgentChange {
  /** For the agent, where it comes to be made. */
  agentId: string;
  projectId: string;
  slug: string;
  /** Undefined: unchanged, or the slug and null for a new agent; so are the members below it. */
  name: string | undefined;
  description: string | null | undefined;
  /** ISO 8601. */
  builderSetupCompletedAt: string | null | undefined;
  builderCanvasPositions: Json | undefined;
  managedByCode: boolean;
  definition: AgentDefinition;
  /** SHA-256 of the definition's text (definitionText). */
  hash: Buffer;
  /** What the definition names (domain/reference/namedBy.ts). */
  named: readonly string[];
  /** How the agent has to be where this would change it: otherwise PRECONDITION_FAILED. */
  expected?: Expected | undefined;
}

export interface UpsertedAgent {
  id: string;
  name: string;
  slug: string;
  FK_aiConnectionId: string | null;
  managedByCode: boolean;
  /** Of its row (rowTag.ts). */
  tag: string;
}

type Row = { projectFound: boolean; isStale: boolean } & { [Key in keyof UpsertedAgent]: UpsertedAgent[Key] | null };

/** More upserts of one slug than this at once are not people's. */
const MOST_TRIES = 20;

/**
 * Creates or changes the agent of a slug; an equal one is left as it is, `updatedAt` included. A changed one has
 * no instructions of its own making any more. One statement. Undefined where
 * the workspace has no such project.
 */
export async function upsertAgent(
  database: Database,
  workspaceId: string,
  change: AgentChange,
): Promise<UpsertedAgent | undefined> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    // Raw: whether there is an agent, and whether it would be another, is decided as it is written.
    const [row] = await database.$queryRaw<Row[]>(statement(workspaceId, change));
    if (!row?.projectFound) return undefined;
    const { projectFound: _, isStale, ...agent } = row;
    if (agent.id !== null) return agent as UpsertedAgent;
    if (isStale) throw new Problem('PRECONDITION_FAILED', STALE);
    // Another upsert wrote it after this statement's snapshot: the next one sees it.
  }
  throw new Error(`the agent ${change.slug} was changed by others ${MOST_TRIES} times in a row`);
}

function statement(workspaceId: string, change: AgentChange): Prisma.Sql {
  const { agentId, projectId, slug, hash } = change;
  const name = Prisma.sql`${change.name ?? null}::text`;
  const description = Prisma.sql`${change.description ?? null}::text`;
  const setUpAt = Prisma.sql`${change.builderSetupCompletedAt ?? null}::timestamptz`;
  const positions = Prisma.sql`${change.builderCanvasPositions == null ? null : JSON.stringify(change.builderCanvasPositions)}::jsonb`;
  const definition = Prisma.sql`${JSON.stringify(change.definition)}::jsonb`;
  const kept = (given: unknown, value: Prisma.Sql, column: Prisma.Sql) => (given === undefined ? column : value);
  const wanted = Prisma.sql`(coalesce(${name}, a.name),
    ${kept(change.description, description, Prisma.sql`a.description`)},
    ${kept(change.builderSetupCompletedAt, setUpAt, Prisma.sql`a.builder_setup_completed_at`)},
    ${kept(change.builderCanvasPositions, positions, Prisma.sql`a.builder_canvas_positions`)},
    ${change.managedByCode}::boolean, ${hash}::bytea)`;
  const columns = [
    'name',
    'description',
    'builder_setup_completed_at',
    'builder_canvas_positions',
    'managed_by_code',
    'hash',
  ];
  const present = Prisma.raw(`(${columns.map((column) => `a.${column}`).join(', ')})`);
  const isThere = Prisma.sql`EXISTS (SELECT FROM agents t
    WHERE t.project_id = ${projectId}::uuid AND t.slug = ${slug} AND ${isAsExpected(change.expected)})`;
  const mayWrite = change.expected === undefined ? Prisma.sql`true` : isThere;
  return Prisma.sql`
    WITH project AS (
      SELECT id FROM projects WHERE id = ${projectId}::uuid AND workspace_id = ${workspaceId}::uuid
    ), written AS (
      INSERT INTO agents AS a (id, workspace_id, project_id, slug, name, description, builder_setup_completed_at,
        builder_canvas_positions, managed_by_code, definition, hash, named)
      SELECT ${agentId}::uuid, ${workspaceId}::uuid, id, ${slug}, coalesce(${name}, ${slug}), ${description}, ${setUpAt},
        ${positions}, ${change.managedByCode}::boolean, ${definition}, ${hash}::bytea,
        ${[...change.named]}::text[]
      FROM project WHERE ${mayWrite}
      ON CONFLICT (project_id, slug) DO UPDATE SET
        (${Prisma.raw(columns.join(', '))}) = ROW ${wanted}, definition = excluded.definition, named = excluded.named, self_instructions = NULL, updated_at = now()
      WHERE ${present} IS DISTINCT FROM ${wanted} AND ${isAsExpected(change.expected, Prisma.raw('a'))}
      RETURNING a.*
    ), unchanged AS (
      SELECT a.* FROM agents a JOIN project p ON p.id = a.project_id
      WHERE a.slug = ${slug} AND ${present} IS NOT DISTINCT FROM ${wanted} AND NOT EXISTS (SELECT FROM written)
    )
    SELECT EXISTS (SELECT FROM project) AS "projectFound", NOT ${mayWrite} AS "isStale", r.id, r.name, r.slug, r.managed_by_code AS "managedByCode",
      r.definition ->> 'aiConnectionId' AS "FK_aiConnectionId",
      ${rowTag(Prisma.raw('r'))} AS tag
    FROM (VALUES (1)) one
    LEFT JOIN (SELECT * FROM written UNION ALL SELECT * FROM unchanged) r ON true`;
}
