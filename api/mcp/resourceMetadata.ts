import { type RequestHandler, Router } from 'express';
import { Problem } from '../../domain/problem.ts';
import { baseUrl } from '../access/callbackUrl.ts';

const PATH = '/.well-known/oauth-protected-resource/mcp';

/** RFC 9728. It names no authorization server: API keys and access tokens come from Perdure itself. */
export function resourceMetadata(publicUrl: string | undefined): Router {
  const router = Router();
  router.get(PATH, ({ headers: { host } }, response) => {
    const base = baseUrl(publicUrl, { host });
    response.json({
      resource: `${base}/mcp`,
      resource_name: 'Perdure',
      bearer_methods_supported: ['header'],
      resource_documentation: `${base}/docs`,
    });
  });
  return router;
}

/** MCP clients expect the address of the metadata in the challenge of a 401. */
export function challenging(publicUrl: string | undefined, handler: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    try {
      await handler(request, response, next);
    } catch (error) {
      throw error instanceof Problem && error.status === 401
        ? challenged(error, publicUrl, request.headers.host)
        : error;
    }
  };
}

function challenged(problem: Problem, publicUrl: string | undefined, host: string | undefined): Problem {
  const metadata = `${baseUrl(publicUrl, { host })}${PATH}`;
  const challenge = `${problem.challenge ?? 'Bearer realm="perdure"'}, resource_metadata="${metadata}"`;
  return new Problem(problem.code, problem.message, { challenge });
}
