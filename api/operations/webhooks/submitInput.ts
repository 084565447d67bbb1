import { isTerminal } from '../../../domain/execution/status.ts';
import { checkFieldValues } from '../../../domain/fieldValues.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import {
  findPendingInput,
  type PendingInputRow,
  type Question,
  type Submitter,
} from '../../../prisma/store/execution/pendingInput.ts';
import { isUuid } from '../../../prisma/store/resource.ts';
import { authenticate } from '../../access/authenticate.ts';
import type { AuditDetails, PublicOperation } from '../../operation.ts';
import type { Services } from '../../services.ts';

/**
 * Takes the answer to a question once. Everybody with the link may answer; a question with several approvals requires a
 * credential, because one person could otherwise give all of them.
 */
export const submitInput: PublicOperation<'submitInput'> = async ({
  params,
  query,
  body = {},
  headers,
  services,
  auditDetails,
}) => {
  const { executionId, nodeId } = params;
  const accepted = { executionId, nodeId, accepted: true };
  const known = services.questions?.find(executionId, nodeId, query.stepId);
  if (known?.required === 1 && (await takenAtOnce(services, known, body as JsonObject))) {
    Object.assign(auditDetails, { workspaceId: known.workspaceId, resourceId: executionId } satisfies AuditDetails);
    return accepted;
  }
  const found = isUuid(executionId)
    ? await findPendingInput(services.database, executionId, nodeId, query.stepId)
    : undefined;
  if (!found) throw noExecution(executionId);
  const { executionStatus, questions } = found;
  if (isTerminal(executionStatus)) throw new Problem('CONFLICT', `The execution has ended: ${executionStatus}`);
  const question = theQuestion(questions, nodeId);
  if (question.status !== 'OPEN' || question.expired) throw answeredAlready(question);

  const by = question.required > 1 ? await submitterOf(services, headers, question) : undefined;
  const values = checkedValues(question, body as JsonObject);
  if (!(await services.answers.take(question, values, by))) throw answeredAlready(question);
  Object.assign(auditDetails, {
    workspaceId: question.workspaceId,
    actor: by ?? null,
    resourceId: executionId,
  } satisfies AuditDetails);
  return accepted;
};

/** Takes it without a look at the rows. Where it is refused, they tell why. */
async function takenAtOnce({ answers, questions }: Services, question: Question, body: JsonObject): Promise<boolean> {
  const { values, problems, missing } = checkFieldValues(question.fields, body, 'reject');
  if (problems.length > 0 || missing.length > 0) return false;
  if (await answers.take(question, values)) return true;
  questions?.forget(question);
  return false;
}

/** Throws UNAUTHENTICATED, NOT_FOUND to another workspace, and CONFLICT to a repeated submitter. */
async function submitterOf(
  services: Services,
  headers: Record<string, string | undefined>,
  { workspaceId, executionId, submitters }: PendingInputRow,
): Promise<Submitter> {
  const caller = await authenticate(services, headers);
  if (caller.workspaceId !== workspaceId) throw noExecution(executionId);
  const by: Submitter =
    caller.kind === 'user' ? { type: 'user', id: caller.userId } : { type: 'apiKey', id: caller.apiKeyId };
  if (submitters.some(({ type, id }) => type === by.type && id === by.id)) {
    throw new Problem(
      'CONFLICT',
      'You have already submitted to this input; it takes one submission from each user or API key',
    );
  }
  return by;
}

function noExecution(executionId: string): Problem {
  return new Problem('NOT_FOUND', `There is no execution ${executionId}`);
}

/** The open question, otherwise the newest; in loops a node may wait in several iterations at once. */
function theQuestion(questions: PendingInputRow[], nodeId: string): PendingInputRow {
  const [question, second] = questions;
  if (!question) throw new Problem('NOT_FOUND', `The node ${nodeId} does not wait for input`);
  if (second?.status !== 'OPEN') return question;
  const open = questions.filter(({ status }) => status === 'OPEN');
  throw new Problem(
    'VALIDATION_FAILED',
    `The node ${nodeId} waits for input in several iterations: name one with the query parameter stepId`,
    {
      errors: open.map(({ id, iteration }) => ({ path: 'stepId', message: `${id} waits in ${iteration}` })),
    },
  );
}

function answeredAlready({ status, expired }: PendingInputRow): Problem {
  const late = status === 'EXPIRED' || (status === 'OPEN' && expired);
  return new Problem('CONFLICT', late ? 'The input has expired' : 'The input was already submitted');
}

function checkedValues({ fields }: PendingInputRow, body: JsonObject): JsonObject {
  const { values, problems, missing } = checkFieldValues(fields, body, 'reject');
  if (missing.length > 0) {
    throw new Problem('MISSING_INPUT', `Required fields are missing: ${missing.join(', ')}`, { errors: problems });
  }
  if (problems.length > 0) {
    throw new Problem('VALIDATION_FAILED', 'The values do not fit the fields', { errors: problems });
  }
  return values;
}
