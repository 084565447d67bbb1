import type { Viewer } from '../../../domain/access/viewer.ts';
import type { StoredSecret } from '../../../domain/execution/keptSecret.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { notOfThisList } from '../idCursor.ts';
import type { ResourcePage } from '../listResource.ts';
import { afterPosition, keyText, type OrderKey, orderBy } from '../order.ts';
import { named } from '../resource.ts';
import { checkFilters, DEFAULT_LIMIT, type ListQuery } from '../resourceQuery.ts';
import { APPROVALS, QUESTION_MEMBERS, shownQuestion } from './openQuestions.ts';
import { pendingInputFilters } from './pendingInputFilters.ts';
import { SECRETS_SQL } from './secrets.ts';
import { type TotalRow, totalsJson } from './shownStep.ts';

const LIST = 'pendingInputs';

/** The oldest first. Neither key changes while a question is open. */
const ORDER: OrderKey[] = [
  { sql: Prisma.sql`p.requested_at`, type: 'time', direction: 'asc' },
  { sql: Prisma.sql`p.id`, type: 'uuid', direction: 'asc' },
];

interface Entry {
  question: Record<string, Json>;
  execution: { executionId: string; executionNumber: number; executionName: string; workflow: Json };
  totals: TotalRow[];
  secrets: StoredSecret[];
}

interface PageRow {
  entries: string;
  hasMore: boolean;
  last: string[] | null;
}

/** A page has at least one question and at most `answerBytes`. Throws VALIDATION_FAILED for an invalid query. */
export async function listQuestions(
  database: Database,
  viewer: Viewer,
  query: Pick<ListQuery, 'filterBy' | 'limit' | 'cursor'>,
  answerBytes: number,
): Promise<ResourcePage> {
  const conditions = checkFilters(pendingInputFilters(viewer), viewer, query.filterBy);
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, LIST, ORDER, false);
  if (cursor === null) throw notOfThisList();
  const limit = query.limit ?? DEFAULT_LIMIT;
  const where = Prisma.join(
    [
      Prisma.sql`p.workspace_id = ${viewer.workspaceId}::uuid AND p.status = 'OPEN'`,
      ...(cursor?.position ? [afterPosition(ORDER, cursor.position)] : []),
      ...conditions,
    ],
    ' AND ',
  );
  // Raw: OFFSET 0 keeps the planner from reading all executions of a workflow. SECRETS_SQL needs the tree of row `t`.
  const [row] = await rowsOf<PageRow>(
    database,
    Prisma.sql`
    WITH found AS MATERIALIZED (
      SELECT p.*, e.number, e.name, e.workflow_id, e.root_id
      FROM pending_inputs p CROSS JOIN LATERAL (
        SELECT x.number, x.name, x.workflow_id, x.project_id, x.starters, coalesce(x.root_id, x.id) AS root_id
        FROM executions x WHERE x.id = p.execution_id OFFSET 0
      ) e
      WHERE ${where} ORDER BY ${orderBy(ORDER)} LIMIT ${limit + 1}::int
    ), placed AS (
      SELECT f.*, row_number() OVER sofar AS place,
        sum(octet_length(f.fields::text) + coalesce(octet_length(f.instructions), 0)) OVER sofar AS bytes
      FROM found f WINDOW sofar AS (ORDER BY f.requested_at, f.id ROWS UNBOUNDED PRECEDING)
    ), page AS MATERIALIZED (
      SELECT * FROM placed WHERE place <= ${limit}::int AND (place = 1 OR bytes <= ${answerBytes}::bigint)
    )
    SELECT (SELECT coalesce(json_agg(${entryOf()} ORDER BY p.place), '[]')::text FROM page p) AS entries,
      (SELECT count(*) FROM found) > (SELECT count(*) FROM page) AS "hasMore",
      (SELECT ARRAY[${Prisma.join(ORDER.map(({ type, sql }) => keyText(type, sql)))}] FROM page p
        ORDER BY p.place DESC LIMIT 1) AS last`,
  );
  if (!row) throw new Error('a statement of subselects without a row');
  const entries = JSON.parse(row.entries) as Entry[];
  return {
    items: entries.map((entry) => shownEntry(entry, database)),
    nextCursor: row.hasMore
      ? writeCursor(LIST, { position: row.last ?? null, seen: null, inChanged: false })
      : undefined,
  };
}

function entryOf(): Prisma.Sql {
  const secrets = Prisma.sql`(SELECT ${SECRETS_SQL} FROM (SELECT p.root_id, p.execution_id AS id, p.workspace_id) t)`;
  const totals = totalsJson(Prisma.sql`SELECT p.iteration WHERE p.iteration <> ''`, Prisma.sql`p.execution_id`);
  return Prisma.sql`json_build_object(
    'question', json_build_object(${QUESTION_MEMBERS}, 'approvals', ${APPROVALS}),
    'execution', json_build_object('executionId', p.execution_id, 'executionNumber', p.number, 'executionName', p.name,
      'workflow', ${named(Prisma.sql`workflows`, Prisma.sql`p.workflow_id`)}),
    'totals', ${totals}, 'secrets', ${secrets})`;
}

function shownEntry({ question, execution, totals, secrets }: Entry, database: Database): Record<string, Json> {
  const texts = database.revealSecrets(secrets);
  const { executionId } = execution;
  return { ...execution, ...shownQuestion(question, { executionId, totals, texts, linkOf: database.linkOf }) };
}
