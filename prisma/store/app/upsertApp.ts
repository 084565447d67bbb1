import type { CustomApp } from '../../../domain/app/customApp.ts';
import { contentDigest } from '../../../domain/app/customRuns.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';
import { EXPECTATION, type Expected, expectation, meetsExpectation, rowTag, STALE } from '../rowTag.ts';

export interface AppChange {
  id: string;
  app: CustomApp;
  managedByCode: boolean;
  createdByUserId: string | null;
  expected?: Expected | undefined;
}

export interface UpsertedApp {
  id: string;
  name: string;
  slug: string;
  digest: string;
  tag: string;
}

const COLUMNS = {
  id: 'uuid',
  slug: 'text',
  name: 'text',
  digest: 'text',
  manifest: 'text',
  contentDigest: 'text',
  managedByCode: 'boolean',
  createdByUserId: 'uuid',
  ...EXPECTATION,
} as const;

const MAX_TRIES = 20;

export interface CatalogueLimits {
  MAX_APPS: number;
  /** The size of all manifests together, because each process keeps those of its workspaces in memory. */
  MAX_APPS_BYTES: number;
}

/** An equal app changes nothing. Throws PRECONDITION_FAILED, and CONFLICT beyond a limit. */
export async function upsertApp(
  database: Database,
  workspaceId: string,
  change: AppChange,
  limits: CatalogueLimits,
): Promise<UpsertedApp> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const [row] = await rowsOf<UpsertedRow>(database, statement(workspaceId, [change], limits));
    if (row?.id) return { id: row.id, name: row.name, slug: row.slug, digest: row.digest, tag: row.tag };
    if (row?.isStale) throw new Problem('PRECONDITION_FAILED', STALE);
    if (row) refuseBeyond([row], limits);
  }
  throw new Error(`the app ${change.app.appId} was changed by others ${MAX_TRIES} times in a row`);
}

/** The slugs differ. Null if another call has written the app meanwhile, or beyond a limit. */
export async function upsertApps(
  database: Database,
  workspaceId: string,
  changes: readonly AppChange[],
  limits: CatalogueLimits,
): Promise<(string | null)[]> {
  if (changes.length === 0) return [];
  const rows = await rowsOf<UpsertedRow>(database, statement(workspaceId, changes, limits));
  refuseBeyond(rows, limits);
  const ids = new Map(rows.map(({ slug, id }) => [slug, id]));
  return changes.map(({ app }) => ids.get(app.appId) ?? null);
}

function refuseBeyond(rows: readonly UpsertedRow[], { MAX_APPS, MAX_APPS_BYTES }: CatalogueLimits): void {
  const refused = rows.find(({ isFull, isLarge }) => isFull || isLarge);
  if (!refused) return;
  const most = refused.isFull
    ? `The workspace has ${MAX_APPS} apps, which is the maximum (MAX_APPS)`
    : `The apps of the workspace have more than ${MAX_APPS_BYTES} bytes of JSON in all (MAX_APPS_BYTES)`;
  throw new Problem('CONFLICT', `${most}: delete one first`);
}

type UpsertedRow = Omit<UpsertedApp, 'id'> & { id: string | null; isStale: boolean; isFull: boolean; isLarge: boolean };

function record({ app, expected, ...change }: AppChange): object {
  const { digest, runs } = app.custom;
  return {
    ...change,
    slug: app.appId,
    name: app.name,
    digest,
    // As text: fields have an order, which jsonb would lose.
    manifest: JSON.stringify(app),
    contentDigest: contentDigest(runs)?.digest ?? null,
    ...expectation(expected),
  };
}

/** Concurrent first upserts of several apps may exceed a limit by their number and size. */
function statement(
  workspaceId: string,
  changes: readonly AppChange[],
  { MAX_APPS, MAX_APPS_BYTES }: CatalogueLimits,
): Prisma.Sql {
  const [g, a] = [Prisma.raw('g'), Prisma.raw('a')];
  const its = Prisma.sql`a.workspace_id = ${workspaceId}::uuid AND a.slug = g.slug`;
  const isFull = Prisma.sql`(SELECT count(*) FROM apps o WHERE o.workspace_id = ${workspaceId}::uuid) +
    (SELECT count(*) FROM given n WHERE NOT EXISTS (SELECT FROM apps o WHERE o.workspace_id = ${workspaceId}::uuid
      AND o.slug = n.slug)) > ${MAX_APPS}::int`;
  const isLarge = Prisma.sql`(SELECT s.bytes FROM size s) > ${MAX_APPS_BYTES}::float8`;
  return Prisma.sql`
    WITH given AS MATERIALIZED (
      SELECT r.* FROM ${recordset(changes.map(record), COLUMNS)}
    ), size AS MATERIALIZED (
      SELECT (SELECT coalesce(sum(octet_length(n.manifest)), 0) FROM given n) +
        (SELECT coalesce(sum(octet_length(v.manifest::text)), 0)
          FROM apps o JOIN app_versions v ON v.workspace_id = o.workspace_id AND v.digest = o.digest
          WHERE o.workspace_id = ${workspaceId}::uuid AND NOT EXISTS (SELECT FROM given n WHERE n.slug = o.slug)) AS bytes
    ), version AS (
      INSERT INTO app_versions (workspace_id, digest, slug, manifest, content_digest)
      SELECT ${workspaceId}::uuid, g.digest, g.slug, g.manifest::json, g."contentDigest" FROM given g
      WHERE NOT ${isLarge} AND (NOT ${isFull} OR EXISTS (SELECT FROM apps a WHERE ${its}))
      ON CONFLICT DO NOTHING
    ), changed AS (
      UPDATE apps a SET name = g.name, digest = g.digest, managed_by_code = g."managedByCode", updated_at = now()
      FROM given g
      WHERE ${its} AND ${meetsExpectation(g, a)} AND NOT ${isLarge}
        AND (a.name, a.digest, a.managed_by_code) IS DISTINCT FROM (g.name, g.digest, g."managedByCode")
      RETURNING a.*
    ), made AS (
      INSERT INTO apps AS a (id, workspace_id, slug, name, digest, managed_by_code, created_by_user_id)
      SELECT g.id, ${workspaceId}::uuid, g.slug, g.name, g.digest, g."managedByCode", g."createdByUserId" FROM given g
      WHERE NOT g."mustExist" AND NOT ${isFull} AND NOT ${isLarge} AND NOT EXISTS (SELECT FROM apps a WHERE ${its})
      ON CONFLICT (workspace_id, slug) DO NOTHING
      RETURNING a.*
    ), written AS (
      SELECT * FROM changed UNION ALL SELECT * FROM made
    ), unchanged AS (
      SELECT a.* FROM apps a JOIN given g ON ${its}
      WHERE (a.name, a.digest, a.managed_by_code) IS NOT DISTINCT FROM (g.name, g.digest, g."managedByCode")
        AND NOT EXISTS (SELECT FROM written w WHERE w.id = a.id)
    )
    SELECT r.id, g.name, g.slug, g.digest, ${rowTag(Prisma.raw('r'))} AS tag,
      g."mustExist" AND NOT EXISTS (SELECT FROM apps a WHERE ${its} AND ${meetsExpectation(g, a)}) AS "isStale",
      r.id IS NULL AND NOT EXISTS (SELECT FROM apps a WHERE ${its}) AND ${isFull} AS "isFull",
      r.id IS NULL AND ${isLarge} AS "isLarge"
    FROM given g LEFT JOIN (SELECT * FROM written UNION ALL SELECT * FROM unchanged) r ON r.slug = g.slug`;
}
