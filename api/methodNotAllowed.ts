import type { RequestHandler } from 'express';
import { Problem } from '../domain/problem.ts';

export function methodNotAllowed(methods: readonly string[]): RequestHandler {
  const allow = methods.join(', ');
  return (request, response) => {
    response.setHeader('allow', allow);
    if (request.method === 'OPTIONS') {
      response.status(204).end();
      return;
    }
    throw new Problem('METHOD_NOT_ALLOWED', `${request.method} is not allowed here: expected one of ${allow}`);
  };
}
