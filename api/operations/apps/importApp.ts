import { inPath, placed } from '../../../domain/place.ts';
import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import type { Operation } from '../../operation.ts';
import { importInThread } from './importInThread.ts';
import { storeContent } from './storeContent.ts';

/** The members of the body that problems may name. Other places are within the document. */
const OWN_PLACE = /^(operations\[|server$)/;

export const importApp: Operation<'importApp'> = async ({ caller, body, services, signal }) => {
  const { config } = services;
  const { operations, server, slug } = body;
  const app = await importInThread(
    {
      ...{ openapi: body.openapi, operations, server },
      maxYamlCharacters: config.MAX_OPENAPI_YAML_CHARACTERS,
      maxBytes: config.MAX_APP_CONTENT_BYTES,
    },
    { workspaceId: caller.workspaceId, timeoutMs: config.APP_IMPORT_TIMEOUT_MS, signal },
  );
  if ('problems' in app) throw refused(app.problems, body.openapi);
  const content = Buffer.from(app.document, 'utf8');
  const digest = await storeContent(services, caller.workspaceId, content);
  const { document: _, leftOut, ...manifest } = app;
  return {
    ...(slug === undefined ? {} : { slug }),
    ...manifest,
    runs: { on: 'openapi' as const, document: digest },
    ...(leftOut.length === 0 ? {} : { leftOut }),
  } as never;
};

/** A place within a text is part of the message, since the request has no such member. */
function refused(problems: readonly ProblemDetail[], given: object | string = {}): Problem {
  const errors = problems.map((problem) => {
    if (OWN_PLACE.test(problem.path)) return problem;
    if (typeof given === 'string') return { path: 'openapi', message: placed(problem) };
    return { ...problem, path: inPath('openapi', problem.path) };
  });
  return new Problem('VALIDATION_FAILED', 'No app can be made of the OpenAPI document', { errors });
}
