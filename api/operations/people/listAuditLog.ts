import { AUDIT_ENTRY } from '../../../prisma/store/audit/resource.ts';
import type { Operation } from '../../operation.ts';
import { listOf } from '../../resources/listOf.ts';

const list = listOf(AUDIT_ENTRY);

/** A caller that has just received an answer must see its outcome. */
export const listAuditLog: Operation<'listAuditLog'> = async (request) => {
  await request.services.audit.settled();
  return list(request);
};
