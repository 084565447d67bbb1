import { pendingApprovalsOf } from '../../../domain/agent/approvals.ts';
import type { Json } from '../../../domain/json.ts';
import { Prisma } from '../../generated/client.ts';
import type { ResourceField } from '../resource.ts';

const ASKED = Prisma.sql`jsonb_path_query_array(m.parts, '$[*] ? (@.state == "approval-requested")')`;

/** The approvals that task `t` waits for: those of the message at which its latest turn has stopped. */
export const PENDING_APPROVALS: ResourceField = {
  sql: Prisma.sql`(SELECT jsonb_build_object('id', m.id, 'parts', ${ASKED})
    FROM task_runs r JOIN task_messages m ON m.task_id = r.task_id AND m.id = r.message_id
    WHERE r.task_id = t.id AND r.status = 'NEEDS_APPROVAL' ORDER BY r.number DESC LIMIT 1)`,
  present: (value) => (value === null ? [] : (pendingApprovalsOf(value as never) as unknown as Json)),
};
