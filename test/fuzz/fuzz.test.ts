import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { documentedWorkflow } from '../clients/documentedWorkflow.ts';
import { pythonWith } from '../clients/pythonEnvironment.ts';
import { api } from '../setup/api/client.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

// `npm run test:fuzz`: schemathesis sends valid and invalid requests, derived from the served document.

const SCHEMATHESIS = 'schemathesis==4.32.5';
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 600);
/** Per operation and phase. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 20);
/** A valid request may still be rejected by further rules. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'ignored_auth',
];

const MESSAGES = '/api/agents/{agentId}/tasks/{taskId}';
/** A webhook has any answer or none. For streams it checks the whole text by the schema of one event. */
const WITHOUT_SCHEMA = new Set(['/api/webhooks/workflows/{workflowId}', `${MESSAGES}/stream-message`]);
/** Without a model provider a turn fails, and its operation reports that. */
const CONFIGURATION = `
[[operations]]
include-path = "${MESSAGES}/message"
[operations.checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", "502"]
`;

interface Document {
  paths: Record<string, Record<string, { responses?: Record<string, { content?: object }> }>>;
}

/** Adds rules that the document states only in prose, and removes parts that workflows define. */
async function document(url: string): Promise<Document> {
  const served = (await (await fetch(new URL('/openapi.json', url))).json()) as Document;
  for (const [path, item] of Object.entries(served.paths)) {
    for (const { responses } of Object.values(item)) {
      if (!responses) continue;
      const problem = { $ref: '#/components/responses/PayloadTooLarge' };
      Object.assign(responses, { 408: problem, 431: problem });
      if (WITHOUT_SCHEMA.has(path)) delete responses['200']?.content;
    }
  }
  return served;
}

test(
  'every answer to a valid or invalid request is documented',
  async () => {
    // It writes a folder into its working directory.
    const folder = mkdtempSync(join(tmpdir(), 'perdure-fuzz-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const python = await pythonWith(SCHEMATHESIS);
    const { url, apiKey, projectId } = await makeWorkspace();
    const call = api(url, apiKey);
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(await document(url)));
    writeFileSync(join(folder, 'schemathesis.toml'), CONFIGURATION);
    const body = documentedWorkflow();
    const { body: workflow } = await call('POST', `/api/projects/${projectId}/workflows/upsert`, { body });
    await call('POST', `/api/executions/workflows/${workflow.id}/execute`, { body: { inputData: {} } });
    const child = spawn(
      python,
      [
        ...['-m', 'schemathesis.cli', 'run', join(folder, 'openapi.json'), '--url', url],
        ...['--header', `X-API-Key: ${apiKey}`, '--checks', CHECKS.join(',')],
        ...['--phases', 'examples,coverage,fuzzing', '--max-examples', `${REQUESTS}`, '--max-time', `${SECONDS}`],
        // A stream lasts until its execution ends.
        ...['--exclude-path-regex', '/stream$', '--request-timeout', '30', '--continue-on-failure', '--no-color'],
        ...['--suppress-health-check', 'all', '--warnings', 'off', '--generation-database', 'none'],
        ...(process.env.FUZZ_SEED ? ['--seed', process.env.FUZZ_SEED] : []),
      ],
      // jest hides the stdout of tests.
      { stdio: ['ignore', 2, 2], cwd: folder },
    );
    const status = await new Promise((done, fail) => child.once('error', fail).once('exit', done));
    expect(status).toBe(0);
  },
  (SECONDS + 600) * 1_000,
);
