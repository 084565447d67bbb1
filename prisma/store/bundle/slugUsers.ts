import type { BundleKind } from '../../../domain/bundle/bundle.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface NamedBySlug {
  kind: BundleKind;
  id: string;
  slug: string;
}

export interface SlugUser {
  kind: BundleKind;
  slug: string;
  type: string;
  name: string;
}

const MAX_READ = 100;

/** Reads the definitions that name one of these resources by its slug, without those with the given ids. */
export async function readSlugUsers(
  database: Database,
  workspaceId: string,
  resources: readonly NamedBySlug[],
  without: readonly string[],
): Promise<SlugUser[]> {
  if (resources.length === 0) return [];
  const of = Prisma.sql`workspace_id = ${workspaceId}::uuid`;
  const names = resources.map(({ kind, slug }) => `${kind}@${slug}`);
  const types = resources.filter(({ kind }) => kind === 'objectType').map(({ slug }) => slug);
  const first = (table: Prisma.Sql) => Prisma.sql`(SELECT w.id FROM ${table} w
    WHERE w.${of} AND w.slug = m.slug ORDER BY w.project_id IS DISTINCT FROM u.project_id, w.created_at, w.id LIMIT 1)`;
  // Raw: a slug names the own project's resource first, as in users_of.
  return rowsOf<SlugUser>(
    database,
    Prisma.sql`
    WITH moved AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(resources)}::jsonb) AS r(kind text, id uuid, slug text)
    ), users AS (
      SELECT 'workflow' AS type, w.id, w.name, w.project_id, v.named
      FROM workflow_versions v JOIN workflows w ON w.version_id = v.id
      WHERE v.${of} AND v.named && ${names}::text[]
      UNION ALL
      SELECT 'agent', a.id, a.name, a.project_id, a.named FROM agents a WHERE a.${of} AND a.named && ${names}::text[]
      UNION ALL
      SELECT 'objectType', t.id, t.name, NULL, ARRAY(SELECT 'objectType@' || (slug #>> '{}')
        FROM jsonb_path_query(t.attribute_schema::jsonb, '$.**."x-objectType"') slug)
      FROM object_types t
      WHERE ${types.length > 0} AND t.${of} AND t.attribute_schema::text LIKE '%"x-objectType"%'
    )
    SELECT m.kind, m.slug, u.type, u.name FROM users u JOIN moved m ON m.kind || '@' || m.slug = ANY (u.named)
    WHERE NOT u.id = ANY (${[...without]}::uuid[]) AND m.id = CASE m.kind
      WHEN 'workflow' THEN ${first(Prisma.sql`workflows`)} WHEN 'agent' THEN ${first(Prisma.sql`agents`)} ELSE m.id END
    ORDER BY m.kind, m.slug, u.type, u.name, u.id LIMIT ${MAX_READ}`,
  );
}
