import { parentPort } from 'node:worker_threads';
import { parsedDocument } from '../../../domain/openapi/documentText.ts';
import { type ImportedApp, importedApp } from '../../../domain/openapi/importedApp.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';

export interface ImportTask {
  openapi: object | string;
  operations?: readonly string[] | undefined;
  server?: string | undefined;
  maxYamlCharacters: number;
  /** MAX_APP_CONTENT_BYTES */
  maxBytes: number;
}

export type ImportAnswer = ImportedApp | { problems: ProblemDetail[] };

/** The entry of a thread: a hostile document can take minutes and gigabytes. */
const port = parentPort;
if (port === null) throw new Error('importThread is the entry of a worker thread');
port.on('message', async (task: ImportTask) => port.postMessage(await perform(task)));
port.postMessage('ready');

async function perform({
  openapi,
  operations,
  server,
  maxYamlCharacters,
  maxBytes,
}: ImportTask): Promise<ImportAnswer> {
  const parsed = typeof openapi === 'string' ? await parsedDocument(openapi, maxYamlCharacters) : { document: openapi };
  if ('problem' in parsed) return { problems: [parsed.problem] };
  const app = await importedApp(parsed.document, { operations, server });
  if ('problems' in app) return app;
  const bytes = Buffer.byteLength(app.document);
  if (bytes <= maxBytes) return app;
  const most = `at most ${maxBytes} are allowed (MAX_APP_CONTENT_BYTES)`;
  return {
    problems: [{ path: '', message: `the requests need ${bytes} bytes of the document, ${most}: name operations` }],
  };
}
