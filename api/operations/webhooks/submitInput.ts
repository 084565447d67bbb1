import { type ExecutionStatus, isTerminal } from '../../../domain/execution/status.ts';
import type { SubmittedBy, Submitter } from '../../../domain/execution/submission.ts';
import { checkAnswer } from '../../../domain/fieldValues.ts';
import { isUuid } from '../../../domain/isUuid.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import { iterationOf } from '../../../engine/executions/questionLinks.ts';
import { findPendingInput, type PendingInputRow, type Question } from '../../../prisma/store/execution/pendingInput.ts';
import { answererOf, noExecution } from '../../executions/answerer.ts';
import type { AuditDetails, OperationRequest, PublicOperation } from '../../operation.ts';

type Request = OperationRequest<'submitInput'>;

/** Accepts an answer to a question once, by the question's own rule (domain/execution/submission.ts). */
export const submitInput: PublicOperation<'submitInput'> = async (request) => {
  const { executionId, nodeId } = request.params;
  const workspaceId = await take(request);
  Object.assign(request.auditDetails, { workspaceId, resourceId: executionId } satisfies AuditDetails);
  return { executionId, nodeId, accepted: true };
};

async function take(request: Request): Promise<string> {
  const { services, headers, auditDetails } = request;
  const { question, open, executionStatus } = await theQuestion(request);
  const submitter = await answererOf(services, headers, question, auditDetails);
  if (open.length > 1) throw severalAsk(open);
  if (isTerminal(executionStatus)) throw endedAlready(executionStatus, question);
  requireTakes(question, submitter);
  const values = checkedValues(question, bodyOf(request));
  if (await services.answers.take(question, values, submitter)) return question.workspaceId;
  const now = await theQuestion(request);
  if (isTerminal(now.executionStatus)) throw endedAlready(now.executionStatus, now.question);
  requireTakes(now.question, submitter);
  throw answeredAlready(now.question);
}

function bodyOf({ body = {} }: Request): JsonObject {
  return body as JsonObject;
}

/** A token must be that of the question; a question that is answered by its link requires one. */
function isShownTo({ query, services }: Request, question: Question): boolean {
  const { token } = query;
  return token === undefined ? question.submitters !== 'link' : services.links.isTokenOf(token, question);
}

interface Found {
  /** An open one, otherwise the newest. */
  question: PendingInputRow;
  open: PendingInputRow[];
  executionStatus: ExecutionStatus;
}

/** Throws NOT_FOUND for a missing question and for a hidden one alike. */
async function theQuestion(request: Request): Promise<Found> {
  const { params, query, services } = request;
  const { executionId, nodeId } = params;
  const { stepId, token } = query;
  const iteration = token === undefined ? undefined : iterationOf(token);
  if (token !== undefined && iteration === undefined) throw noQuestion(nodeId);
  const found = isUuid(executionId)
    ? await findPendingInput(services.database, executionId, nodeId, { stepId, iteration })
    : undefined;
  if (!found) throw noExecution(executionId);
  const { executionStatus, questions } = found;
  if (questions.length === 0 && isTerminal(executionStatus)) throw endedAlready(executionStatus);
  const shown = questions.filter((each) => isShownTo(request, each));
  const [question] = shown;
  if (!question) throw noQuestion(nodeId);
  return { question, open: shown.filter(({ status }) => status === 'OPEN'), executionStatus };
}

function noQuestion(nodeId: string): Problem {
  return new Problem(
    'NOT_FOUND',
    `The node ${nodeId} is not waiting for input, or the link does not belong to its question`,
  );
}

function severalAsk(open: PendingInputRow[]): Problem {
  const errors = open.map(({ id, iteration }) => ({ path: 'stepId', message: `${id} waits in ${iteration}` }));
  const nodeId = open[0]?.nodeId;
  return new Problem(
    'VALIDATION_FAILED',
    `The node ${nodeId} waits for input in several iterations: name one with the query parameter stepId`,
    { errors },
  );
}

/** Names who answered, in case the execution ended with this answer. */
function endedAlready(status: ExecutionStatus, question?: PendingInputRow): Problem {
  return new Problem('CONFLICT', `The execution has ended: ${status}`, { members: answeredBy(question) });
}

/** Its status may be that of its execution's end. */
function answeredBy(question: PendingInputRow | undefined): { answeredBy?: SubmittedBy } {
  if (!question || question.lastBy === null || question.persons.length < question.required) return {};
  return { answeredBy: question.lastBy };
}

function requireTakes(question: PendingInputRow, submitter: Submitter | undefined): void {
  if (question.status !== 'OPEN' || question.expired) throw answeredAlready(question);
  if (question.required === 1 || !submitter || !question.persons.includes(submitter.person)) return;
  throw new Problem(
    'CONFLICT',
    'You have already submitted to this input; it takes one submission from each person, and an API key counts as the person who made it',
  );
}

function answeredAlready(question: PendingInputRow): Problem {
  const { status, expired } = question;
  const late = status === 'EXPIRED' || (status === 'OPEN' && expired);
  if (late) return new Problem('CONFLICT', 'The input has expired');
  return new Problem('CONFLICT', 'The input was already submitted', { members: answeredBy(question) });
}

function checkedValues({ fields }: PendingInputRow, body: JsonObject): JsonObject {
  const { values, problems, missing } = checkAnswer(fields, body);
  if (missing.length > 0) {
    throw new Problem('MISSING_INPUT', `Required fields are missing: ${missing.join(', ')}`, { errors: problems });
  }
  if (problems.length > 0) {
    throw new Problem('VALIDATION_FAILED', 'The values do not match the fields', { errors: problems });
  }
  return values;
}
