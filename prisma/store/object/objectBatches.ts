import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { BULK_ROWS } from '../bulkRows.ts';

/** Maximum bytes of attributes in memory at once. A single entity may exceed it. */
const BATCH_BYTES = 8_388_608;

export interface BatchObject {
  id: string;
  name: string;
  state: string | null;
  attributes: JsonObject;
}

/** Yields by id, limited by rows and bytes. Rows created or deleted meanwhile may be included or not. */
export async function* objectBatches<More extends object = object>(
  database: Database,
  where: Prisma.Sql,
  more: Prisma.Sql = Prisma.empty,
): AsyncGenerator<(BatchObject & More)[]> {
  let after: string | null = null;
  while (true) {
    const rows: (BatchObject & More)[] = await rowsOf<BatchObject & More>(
      database,
      Prisma.sql`
      SELECT t.id, t.name, t.state, t.attributes ${more} FROM (
        SELECT s.*, sum(octet_length(s.attributes::text)) OVER (ORDER BY s.id) AS "#bytes",
          row_number() OVER (ORDER BY s.id) AS "#row"
        FROM (
          SELECT t.* FROM objects t WHERE ${where} ${after === null ? Prisma.empty : Prisma.sql`AND t.id > ${after}::uuid`}
          ORDER BY t.id LIMIT ${BULK_ROWS}::int
        ) s
      ) t WHERE t."#bytes" <= ${BATCH_BYTES}::bigint OR t."#row" = 1
      ORDER BY t.id`,
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}

export async function countByState(
  database: Database,
  workspaceId: string,
  typeId: string,
): Promise<{ state: string; count: number }[]> {
  return rowsOf(
    database,
    Prisma.sql`SELECT t.state, count(*)::int AS count FROM objects t
      WHERE t.workspace_id = ${workspaceId}::uuid AND t.object_type_id = ${typeId}::uuid AND t.deleted_at IS NULL AND t.state IS NOT NULL
      GROUP BY t.state ORDER BY t.state`,
  );
}
