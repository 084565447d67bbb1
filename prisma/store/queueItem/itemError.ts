import type { Json } from '../../../domain/json.ts';
import { Prisma } from '../../generated/client.ts';
import type { Actor } from './history.ts';

export interface ItemError {
  message: string;
  code?: string | undefined;
  details?: Json | undefined;
}

/** Inserts the error into the history of an item that a `transition` moves, as its `record`. */
export function errorRecord({ message, code, details }: ItemError, by: Actor): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO queue_item_errors (id, workspace_id, item_id, message, code, details, attempt, execution_id, by)
    SELECT uuid_v7_of_now(), m.workspace_id, m.id, ${message}, ${code ?? null},
      ${details === undefined ? null : JSON.stringify(details)}::jsonb, p.retry_count + 1,
      coalesce(p.execution_id, p.last_execution_id), ${JSON.stringify(by)}::jsonb
    FROM moved m JOIN present p ON p.id = m.id`;
}
