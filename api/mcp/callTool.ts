import { isUuid } from '../../domain/isUuid.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { ANSWER_QUESTION, GET_EXECUTION, OWN_TOOLS } from '../../domain/mcp/exposedNames.ts';
import { Problem } from '../../domain/problem.ts';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { readCall, type StartedCall } from '../../prisma/store/mcp/readCall.ts';
import { notFound } from '../../prisma/store/readResource.ts';
import { credentialOf } from '../access/caller.ts';
import { toProblem } from '../pipeline/problem.ts';
import { awaitExecution } from './awaitExecution.ts';
import { awaitTurn, callAgent } from './callAgent.ts';
import { callKey } from './callKey.ts';
import { fittingResult } from './fittingResult.ts';
import { callableTools, ownTools, signatureOf } from './listTools.ts';
import { openQuestion } from './openQuestion.ts';
import { resultOf, type ToolCall, type ToolResult } from './toolCall.ts';

/** Undefined if the caller has no such tool. Failures are results, so that the model reads them. */
export async function callTool(call: ToolCall, name: string): Promise<ToolResult | undefined> {
  try {
    if (OWN_TOOLS.includes(name) && !ownTools(call.caller).has(name)) return undefined;
    if (name === GET_EXECUTION) return await getExecution(call);
    if (name === ANSWER_QUESTION) return await answerQuestion(call);
    return await callExposed(call, name);
  } catch (error) {
    const problem = toProblem(error);
    if (problem.code === 'INTERNAL') call.services.log.error({ err: problem.cause, tool: name }, 'a tool call failed');
    const { code, message, errors } = problem;
    const places = errors?.map(({ path, message: what }): JsonObject => ({ path, message: what }));
    return resultOf({ error: { code, message, ...(places ? { errors: places } : {}) } }, true);
  }
}

async function callExposed(call: ToolCall, name: string): Promise<ToolResult | undefined> {
  const { services, caller, input } = call;
  const tool = (await callableTools(services, caller)).get(name);
  if (!tool) return undefined;
  if (tool.versionId === null) return callAgent(call, tool.id);
  const key = callKey(services, call.session, call.id);
  const { executionId } = await call.operate('executeWorkflow', {
    ...{ params: { workflowId: tool.id }, body: { inputData: input } },
    ...(key === undefined ? {} : { resourceId: key, idempotencyKey: `mcp ${key}` }),
  });
  const result = await awaitExecution(call, String(executionId));
  const signature = await signatureOf(services, caller, tool.versionId);
  return fittingResult(result, signature?.outputSchema as JsonObject | undefined);
}

/** Throws NOT_FOUND for what the caller may neither read nor has started. */
async function getExecution(call: ToolCall): Promise<ToolResult> {
  const id = textOf(call.input.executionId, 'executionId');
  const started = isUuid(id) ? await readable(call, id) : undefined;
  if (!started) throw notFound(EXECUTION);
  return started.kind === 'turn' ? awaitTurn(call, id) : awaitExecution(call, id);
}

async function answerQuestion(call: ToolCall): Promise<ToolResult> {
  const { nodeId, values } = call.input;
  const executionId = textOf(call.input.executionId, 'executionId');
  if (!isJsonObject(values)) throw missing('values', 'an object');
  const question = await openQuestion(call, executionId, nodeId === undefined ? undefined : textOf(nodeId, 'nodeId'));
  await call.operate('submitInput', {
    ...{ params: { executionId, nodeId: question.nodeId }, query: { stepId: question.stepId }, body: values },
  });
  // Some people may answer a question of an execution that they may not read.
  if (await readable(call, executionId)) return awaitExecution(call, executionId);
  return resultOf({ executionId, status: 'RUNNING', note: 'The answer was accepted' });
}

function readable({ services, caller }: ToolCall, id: string): Promise<StartedCall | undefined> {
  return readCall(services.database, caller, credentialOf(caller), id);
}

function textOf(value: Json | undefined, path: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw missing(path, 'text');
}

function missing(path: string, expected: string): Problem {
  const errors = [{ path, message: `expected ${expected}` }];
  return new Problem('VALIDATION_FAILED', `${path}: expected ${expected}`, { errors });
}
