import { isJsonObject, type JsonObject } from '../json.ts';
import { isDeeperThan, MAX_DEPTH } from '../jsonDepth.ts';
import type { ProblemDetail } from '../problem.ts';
import { addressProblem } from './servers.ts';

/** Returns why a value is no OpenAPI document of a version that can be read. Its parts are checked where they are read. */
export function documentProblems(document: unknown, server?: string): ProblemDetail[] {
  if (!isJsonObject(document)) return [{ path: '', message: 'expected an OpenAPI document: an object' }];
  if (isDeeperThan(document, MAX_DEPTH))
    return [{ path: '', message: `the document is nested deeper than ${MAX_DEPTH}` }];
  const { openapi, swagger, paths, host } = document;
  const problems: ProblemDetail[] = [];
  if (swagger !== undefined) {
    if (!isSwagger(document)) problems.push({ path: 'swagger', message: 'expected the version 2.0' });
    if (host !== undefined && typeof host !== 'string') problems.push({ path: 'host', message: 'expected a text' });
  } else if (typeof openapi !== 'string' || !/^3\.[0-2]\.\d+/.test(openapi)) {
    problems.push({ path: 'openapi', message: 'expected a version 3.0, 3.1 or 3.2 as text, or Swagger 2.0' });
  }
  if (!isJsonObject(paths)) problems.push({ path: 'paths', message: 'expected an object of paths' });
  if (server !== undefined) {
    const problem = URL.canParse(server) ? addressProblem(new URL(server)) : 'expected an http or https address';
    if (problem !== undefined) problems.push({ path: 'server', message: problem });
  }
  return problems;
}

/** YAML reads 2.0 without quotes as a number. */
export function isSwagger({ swagger }: JsonObject): boolean {
  return swagger === '2.0' || swagger === 2;
}
