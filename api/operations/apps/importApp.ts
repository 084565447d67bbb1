import { setImmediate as othersTurn } from 'node:timers/promises';
import { parsedDocument } from '../../../domain/openapi/documentText.ts';
import { importedApp } from '../../../domain/openapi/importedApp.ts';
import { inPath, placed } from '../../../domain/place.ts';
import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import type { Operation } from '../../operation.ts';
import { storeContent } from './storeContent.ts';

/** The members of the body that problems may name. Other places are within the document. */
const OWN_PLACE = /^(operations\[|server$)/;

export const importApp: Operation<'importApp'> = async ({ caller, body, services }) => {
  const { config } = services;
  const { operations, server, slug } = body;
  const document = await readDocument(body.openapi, config.MAX_OPENAPI_YAML_CHARACTERS);
  const app = await importedApp(document, { operations, server, pause: () => othersTurn() });
  if ('problems' in app) throw refused(app.problems, body.openapi);
  const content = Buffer.from(app.document, 'utf8');
  if (content.length > config.MAX_APP_CONTENT_BYTES) {
    const most = `at most ${config.MAX_APP_CONTENT_BYTES} are allowed (MAX_APP_CONTENT_BYTES)`;
    throw refused([
      { path: '', message: `the requests need ${content.length} bytes of the document, ${most}: name operations` },
    ]);
  }
  const digest = await storeContent(services, caller.workspaceId, content);
  const { document: _, leftOut, ...manifest } = app;
  return {
    ...(slug === undefined ? {} : { slug }),
    ...manifest,
    runs: { on: 'openapi' as const, document: digest },
    ...(leftOut.length === 0 ? {} : { leftOut }),
  } as never;
};

async function readDocument(given: object | string, maxYamlCharacters: number): Promise<unknown> {
  if (typeof given !== 'string') return given;
  const parsed = await parsedDocument(given, maxYamlCharacters);
  if ('problem' in parsed) throw refused([parsed.problem], given);
  return parsed.document;
}

/** A place within a text is part of the message, since the request has no such member. */
function refused(problems: readonly ProblemDetail[], given: object | string = {}): Problem {
  const errors = problems.map((problem) => {
    if (OWN_PLACE.test(problem.path)) return problem;
    if (typeof given === 'string') return { path: 'openapi', message: placed(problem) };
    return { ...problem, path: inPath('openapi', problem.path) };
  });
  return new Problem('VALIDATION_FAILED', 'No app can be made of the OpenAPI document', { errors });
}
