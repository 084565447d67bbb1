import type { IncomingHttpHeaders } from 'node:http';
import { needsCredential, refusalOf, type Submitter } from '../../domain/execution/submission.ts';
import { Problem } from '../../domain/problem.ts';
import type { PendingInputRow, Question } from '../../prisma/store/execution/pendingInput.ts';
import { readSubmitter } from '../../prisma/store/workspaceUser/readSubmitter.ts';
import { authenticate } from '../access/authenticate.ts';
import { type Caller, credentialOf } from '../access/caller.ts';
import { publicCaller } from '../access/publicCaller.ts';
import type { AuditDetails } from '../operation.ts';
import type { Services } from '../services.ts';

/** Undefined for an allowed anonymous answer. Throws UNAUTHENTICATED, FORBIDDEN, and NOT_FOUND to other workspaces. */
export async function answererOf(
  services: Services,
  headers: IncomingHttpHeaders,
  question: Question & Partial<Pick<PendingInputRow, 'starters'>>,
  auditDetails: AuditDetails,
): Promise<Submitter | undefined> {
  const { workspaceId, executionId, starters = [] } = question;
  const isNeeded = needsCredential(question);
  const caller = isNeeded ? await authenticate(services, headers) : await publicCaller(services, headers, workspaceId);
  if (!caller) return undefined;
  if (caller.workspaceId !== workspaceId) throw noExecution(executionId);
  const submitter = await submitterOf(services, caller);
  if (!submitter) {
    if (!isNeeded) return undefined;
    throw new Problem('UNAUTHENTICATED', 'The credential has been deleted');
  }
  const actor = credentialOf(caller);
  Object.assign(auditDetails, { workspaceId, actor, resourceId: executionId } satisfies AuditDetails);
  const refusal = refusalOf(question, submitter, starters);
  if (refusal !== undefined) throw new Problem('FORBIDDEN', refusal);
  return submitter;
}

async function submitterOf({ database }: Services, caller: Caller): Promise<Submitter | undefined> {
  const known = await readSubmitter(database, caller.workspaceId, credentialOf(caller));
  return known && { ...known, permissions: caller.permissions };
}

export function noExecution(executionId: string): Problem {
  return new Problem('NOT_FOUND', `There is no execution ${executionId}`);
}
