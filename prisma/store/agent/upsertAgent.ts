import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { Json } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';
import { EXPECTATION, type Expected, expectation, meetsExpectation, rowTag, STALE } from '../rowTag.ts';

export interface AgentChange {
  agentId: string;
  projectId: string;
  slug: string;
  /** Undefined: unchanged; for a new agent the slug, or null for the members below. */
  name: string | undefined;
  description: string | null | undefined;
  /** ISO 8601. */
  builderSetupCompletedAt: string | null | undefined;
  builderCanvasPositions: Json | undefined;
  managedByCode: boolean;
  definition: AgentDefinition;
  /** SHA-256 of the definition's text (definitionText). */
  hash: Buffer;
  /** The references in the definition (domain/reference/namedBy.ts). */
  named: readonly string[];
  /** The state that the agent must have for a change; otherwise PRECONDITION_FAILED. */
  expected?: Expected | undefined;
}

export interface UpsertedAgent {
  id: string;
  name: string;
  slug: string;
  FK_aiConnectionId: string | null;
  managedByCode: boolean;
  tag: string;
}

type Row = { projectFound: boolean; isStale: boolean } & { [Key in keyof UpsertedAgent]: UpsertedAgent[Key] | null };

/** Users do not upsert one slug more often than this at once. */
const MAX_TRIES = 20;

/** An equal agent stays as it is; a change clears its self-instructions. Undefined if the project does not exist. */
export async function upsertAgent(
  database: Database,
  workspaceId: string,
  change: AgentChange,
): Promise<UpsertedAgent | undefined> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const [row] = await rowsOf<Row>(database, statement(workspaceId, [change]));
    if (!row?.projectFound) return undefined;
    const { projectFound: _, isStale, ...agent } = row;
    if (agent.id !== null) return agent as UpsertedAgent;
    if (isStale) throw new Problem('PRECONDITION_FAILED', STALE);
    // Another upsert wrote the agent after this statement's snapshot; the next attempt sees it.
  }
  throw new Error(`the agent ${change.slug} was changed by others ${MAX_TRIES} times in a row`);
}

/** Returns the ids in order; null if another request has written the agent meanwhile, or the project is missing. */
export async function upsertAgents(
  database: Database,
  workspaceId: string,
  changes: readonly AgentChange[],
): Promise<(string | null)[]> {
  if (changes.length === 0) return [];
  return (await rowsOf<Row>(database, statement(workspaceId, changes))).map(({ id }) => id);
}

const RECORD = {
  at: 'int',
  agentId: 'uuid',
  projectId: 'uuid',
  slug: 'text',
  name: 'text',
  description: 'text',
  setsDescription: 'boolean',
  builderSetupCompletedAt: 'timestamptz',
  setsSetup: 'boolean',
  builderCanvasPositions: 'jsonb',
  setsPositions: 'boolean',
  managedByCode: 'boolean',
  definition: 'jsonb',
  hash: 'text',
  named: 'text[]',
  ...EXPECTATION,
} as const;

function record({ hash, expected, ...change }: AgentChange, at: number): object {
  return {
    ...change,
    at,
    setsDescription: change.description !== undefined,
    setsSetup: change.builderSetupCompletedAt !== undefined,
    setsPositions: change.builderCanvasPositions !== undefined,
    hash: hash.toString('hex'),
    ...expectation(expected),
  };
}

const SET = Prisma.raw(
  'name, description, builder_setup_completed_at, builder_canvas_positions, managed_by_code, hash',
);

function statement(workspaceId: string, changes: readonly AgentChange[]): Prisma.Sql {
  const [g, a] = [Prisma.raw('g'), Prisma.raw('a')];
  const wanted = Prisma.sql`(coalesce(g.name, a.name),
    CASE WHEN g."setsDescription" THEN g.description ELSE a.description END,
    CASE WHEN g."setsSetup" THEN g."builderSetupCompletedAt" ELSE a.builder_setup_completed_at END,
    CASE WHEN g."setsPositions" THEN g."builderCanvasPositions" ELSE a.builder_canvas_positions END,
    g."managedByCode", g.digest)`;
  const present = Prisma.sql`(a.name, a.description, a.builder_setup_completed_at, a.builder_canvas_positions,
    a.managed_by_code, a.hash)`;
  const its = Prisma.sql`a.project_id = g."projectId" AND a.slug = g.slug AND g."projectFound"`;
  return Prisma.sql`
    WITH given AS MATERIALIZED (
      SELECT r.*, decode(r.hash, 'hex') AS digest, p.id IS NOT NULL AS "projectFound"
      FROM ${recordset(changes.map(record), RECORD)}
      LEFT JOIN projects p ON p.id = r."projectId" AND p.workspace_id = ${workspaceId}::uuid
    ), changed AS (
      UPDATE agents a SET (${SET}) = ROW ${wanted}, definition = g.definition, named = g.named,
        self_instructions = NULL, updated_at = now()
      FROM given g
      WHERE ${its} AND ${meetsExpectation(g, a)} AND ${present} IS DISTINCT FROM ${wanted}
      RETURNING a.*
    ), made AS (
      INSERT INTO agents AS a (id, workspace_id, project_id, slug, ${SET}, definition, named)
      SELECT g."agentId", ${workspaceId}::uuid, g."projectId", g.slug, coalesce(g.name, g.slug), g.description,
        g."builderSetupCompletedAt", g."builderCanvasPositions", g."managedByCode", g.digest, g.definition, g.named
      FROM given g
      WHERE g."projectFound" AND NOT g."mustExist" AND NOT EXISTS (SELECT FROM agents a WHERE ${its})
      ON CONFLICT (project_id, slug) DO NOTHING
      RETURNING a.*
    ), written AS (
      SELECT * FROM changed UNION ALL SELECT * FROM made
    ), unchanged AS (
      SELECT a.* FROM agents a JOIN given g ON ${its}
      WHERE ${present} IS NOT DISTINCT FROM ${wanted} AND NOT EXISTS (SELECT FROM written x WHERE x.id = a.id)
    )
    SELECT g."projectFound", g."mustExist" AND NOT EXISTS (
        SELECT FROM agents a WHERE ${its} AND ${meetsExpectation(g, a)}) AS "isStale",
      r.id, r.name, r.slug, r.managed_by_code AS "managedByCode",
      r.definition ->> 'aiConnectionId' AS "FK_aiConnectionId", ${rowTag(Prisma.raw('r'))} AS tag
    FROM given g
    LEFT JOIN (SELECT * FROM written UNION ALL SELECT * FROM unchanged) r
      ON r.project_id = g."projectId" AND r.slug = g.slug
    ORDER BY g.at`;
}
