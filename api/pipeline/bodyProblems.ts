import { Problem, type ProblemDetail } from '../../domain/problem.ts';
import { type Route, readOpenApi, routesOf, type TableId } from '../openapi.ts';
import { type ContractCheck, contractCheck } from './contract.ts';

const checks = new Map<TableId, ContractCheck>();

export async function bodyProblems(operationId: TableId, url: string, body: object): Promise<ProblemDetail[]> {
  const check = checks.get(operationId) ?? checkOf(operationId);
  try {
    const text = JSON.stringify(body);
    await check({ url, headers: {}, body: JSON.parse(text), bodyBytes: text.length });
    return [];
  } catch (error) {
    if (error instanceof Problem && error.code === 'VALIDATION_FAILED') return error.errors ?? [];
    throw error;
  }
}

function checkOf(operationId: TableId): ContractCheck {
  const document = readOpenApi();
  const route = routesOf(document).find((each) => each.operationId === operationId);
  const check = contractCheck(document, route as Route);
  checks.set(operationId, check);
  return check;
}
