import type { StoredSecret } from '../../../domain/execution/keptSecret.ts';
import type { ReadLimits } from '../../../domain/execution/readLimits.ts';
import { isUuid } from '../../../domain/isUuid.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { notOfThisList } from '../idCursor.ts';
import type { ResourcePage } from '../listResource.ts';
import { afterPosition, keyText, type OrderKey, orderBy } from '../order.ts';
import { notFound } from '../readResource.ts';
import { checkFilters, DEFAULT_LIMIT, type ListQuery } from '../resourceQuery.ts';
import { EXECUTION } from './resource.ts';
import { SECRETS_SQL } from './secrets.ts';
import { loopTotals, type StepRow, shownStep, stepsJson, type TotalRow, totalsJson } from './shownStep.ts';
import { STEP_FILTERS } from './stepFilters.ts';

interface Page {
  items: StepRow[];
  totals: TotalRow[];
  last: string | null;
  secrets: StoredSecret[];
}

/** A step's position is unique and never changes. */
const ORDER: OrderKey[] = [{ sql: Prisma.sql`s.position`, type: 'bigint', direction: 'asc' }];

type StepQuery = Pick<ListQuery, 'filterBy' | 'limit' | 'cursor'>;

/** Steps inside and outside loops have an index each. Throws NOT_FOUND, and VALIDATION_FAILED for an invalid query. */
export async function listSteps(
  database: Database,
  workspaceId: string,
  executionId: string,
  query: StepQuery,
  limits: ReadLimits,
): Promise<ResourcePage> {
  const conditions = checkFilters(STEP_FILTERS, { workspaceId }, query.filterBy);
  const list = `steps ${executionId}`;
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, list, ORDER, false);
  if (cursor === null) throw notOfThisList();
  if (!isUuid(executionId)) throw notFound(EXECUTION);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const where = Prisma.join(
    [
      Prisma.sql`s.execution_id = t.id`,
      ...(cursor?.position ? [afterPosition(ORDER, cursor.position)] : []),
      ...conditions,
    ],
    ' AND ',
  );
  const some = (inside: Prisma.Sql) => Prisma.sql`(
    SELECT * FROM execution_steps s WHERE ${where} AND ${inside} ORDER BY ${orderBy(ORDER)} LIMIT ${limit + 1}::int)`;
  const [row] = await database.$queryRaw<Page[]>`
    SELECT page.*, ${SECRETS_SQL} AS secrets
    FROM executions t CROSS JOIN LATERAL (
      WITH page AS MATERIALIZED (
        SELECT * FROM (
          ${some(Prisma.sql`s.iteration = ''`)} UNION ALL ${some(Prisma.sql`s.iteration <> ''`)}
        ) both_kinds ORDER BY position LIMIT ${limit + 1}::int
      )
      SELECT ${stepsJson(limits, Prisma.sql`SELECT * FROM page`)} AS items,
        ${totalsJson(Prisma.sql`SELECT iteration FROM page WHERE iteration <> ''`)} AS totals,
        (SELECT ${keyText('bigint', Prisma.sql`p.position`)} FROM page p
          ORDER BY p.position OFFSET ${limit - 1}::int LIMIT 1) AS last
    ) page
    WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid`;
  if (!row) throw notFound(EXECUTION);
  const { items, last, secrets } = row;
  const totals = loopTotals(row.totals);
  const texts = database.revealSecrets(secrets);
  const more = items.length > limit;
  if (more) items.pop();
  return {
    items: items.map((item) => shownStep(item, texts, totals) as Record<string, Json>),
    nextCursor: more ? writeCursor(list, { position: [last], seen: null, inChanged: false }) : undefined,
  };
}
