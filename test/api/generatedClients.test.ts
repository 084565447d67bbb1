// test: long
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import createClient from 'openapi-fetch';
import type { paths } from '../../api/contract.ts';
import { documentedWorkflow } from '../clients/documentedWorkflow.ts';
import { generatePythonClient, runPython } from '../clients/pythonClient.ts';
import { NO_PYTHON } from '../clients/pythonEnvironment.ts';
import { poll } from '../setup/jest/poll.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const { url, apiKey, projectId } = await makeWorkspace();

test("the README's first workflow runs by the types of openapi-typescript", async () => {
  const client = createClient<paths>({ baseUrl: url, headers: { 'X-API-Key': apiKey } });
  const { data: workflow } = await client.POST('/api/projects/{projectId}/workflows/upsert', {
    params: { path: { projectId } },
    body: documentedWorkflow(),
  });
  const { response } = await client.POST('/api/webhooks/workflows/{workflowId}', {
    params: { path: { workflowId: String(workflow?.id) } },
    body: { person: 'Ada', amount: 42.5 },
  });
  const executionId = String(response.headers.get('x-execution-id'));
  const read = async () => {
    const params = { path: { executionId }, query: { expansion: 'status,output,pendingInput' } };
    return (await client.GET('/api/executions/{executionId}', { params })).data;
  };
  await poll(async () => (await read())?.status, { timeout: 30_000 }).toBe('NEEDS_INPUT');
  const [question] = (await read())?.pendingInput ?? [];
  expect(question?.title).toBe('Ada asks for 42.5');
  const { data: accepted } = await client.POST('/api/webhooks/executions/{executionId}/nodes/{nodeId}/input', {
    params: { path: { executionId, nodeId: String(question?.nodeId) } },
    body: { approved: true, comment: 'have a good trip' },
  });
  expect(accepted?.accepted).toBe(true);
  await poll(async () => (await read())?.status, { timeout: 30_000 }).toBe('COMPLETED');
  expect((await read())?.output).toEqual({ refund: 42.5, person: 'ADA' });
});

if (NO_PYTHON !== undefined) process.stderr.write(`perdure  ${NO_PYTHON}: the generated Python client is not tried\n`);

(NO_PYTHON === undefined ? test : test.skip)(
  "openapi-python-client takes the served document, and its client runs the README's first workflow",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perdure-client-'));
    try {
      const document = join(folder, 'openapi.json');
      writeFileSync(document, await (await fetch(new URL('/openapi.json', url))).text());
      const said = await generatePythonClient(document, folder);
      // Generators have no types for webhooks, which accept and return any media type.
      const warnings = said.split('\n').filter((line) => /^(WARNING|ERROR)/.test(line));
      expect(warnings.filter((line) => !line.includes(' /api/webhooks/workflows/{workflowId} '))).toEqual([]);
      const definition = JSON.stringify({ ...documentedWorkflow(), slug: 'expense-python' });
      const lines = await runPython('firstWorkflow.py', folder, [url, apiKey, projectId], definition);
      expect(lines[0]).toBe('Ada asks for 42.5');
      expect(JSON.parse(String(lines[1]))).toEqual({ refund: 42.5, person: 'ADA' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  300_000,
);
