import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { makeHome } from '../setup/workspace/home.ts';

const run = promisify(execFile);

test("docs/client.md: its first example runs as it is written, with another address and a workflow's id", async () => {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/client.md'), 'utf8');
  const [, example = ''] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];
  const { url, apiKey, deploy } = await makeHome();
  const id = await deploy({
    slug: 'greet',
    trigger: { type: 'manual', config: { fields: [{ key: 'name', label: 'Name', type: 'text', required: true }] } },
    nodes: [
      { id: 'hello', type: 'action', appId: 'core', actionId: 'set', inputs: { values: { to: '{{ trigger.name }}' } } },
    ],
  } as never);
  const folder = mkdtempSync(join(tmpdir(), 'perdure-client-'));
  onTestFinished(async () => rmSync(folder, { recursive: true }));
  const client = JSON.stringify(join(PROJECT_ROOT, 'client/dist/index.js'));
  expect(example).toContain("'perdure-client'");
  expect(example).toContain("'http://127.0.0.1:3000'");
  const program = `const workflowId = ${JSON.stringify(id)};\n${example}`
    .replace("'perdure-client'", client)
    .replace("'http://127.0.0.1:3000'", JSON.stringify(url));
  writeFileSync(join(folder, 'example.mjs'), program);
  const env = { ...process.env, PERDURE_API_KEY: apiKey };
  const { stdout } = await run(process.execPath, [join(folder, 'example.mjs')], { env });
  expect(stdout).toBe("COMPLETED { to: 'Ada' }\n");
});
