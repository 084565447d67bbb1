// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as files hold them
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { commandFolder } from '../setup/stack/commandLine.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

/** A folder whose context `prod` is the project of this workspace. */
async function folderOf({ url, apiKey, projectId }: Home) {
  const where = commandFolder({});
  const contexts = { prod: { url, apiKey, projectId }, dev: { url, apiKey, projectId } };
  mkdirSync(join(where.folder, 'perdure'));
  writeFileSync(join(where.folder, 'perdure/config.json'), JSON.stringify({ contexts }));
  return where;
}

const FILES = {
  'perdure.yaml': 'environment: [BANK_URL, OTHER]\nowner: pay\n',
  'variables.yaml': `- slug: LIMIT
  value: 100 # of dev
- { slug: URL, value: "http://\${env:OTHER}" }
`,
  'workflows/pay.yaml': `# By hand
nodes:
  - id: call
    type: action
    appId: http
    actionId: request
    connectionId: "@connection/bank"
    inputs: { url: "https://bank.example" }
`,
  'overlays/prod.yaml': `# Of production
variables:
  LIMIT: 5000 # EUR
  URL: \${env:BANK_URL}
connections: { bank: bank-of-prod }
`,
};
const SET = { BANK_URL: 'https://bank.prod.example' };

const connect = async (home: Home, slug: string) => {
  const path = '/api/workflow-apps/http/connections/apiKey/connect';
  const body = { name: slug, slug, credentials: { apiKey: 'k', allowedHosts: 'bank.example' } };
  expect((await home.api('POST', path, { body })).status).toBe(200);
};

test('an overlay replaces values and connections of its context; pull puts changes where they belong', async () => {
  const home = await makeHome();
  await connect(home, 'bank-of-prod');
  const { perdure, write, read } = await folderOf(home);
  write(FILES);
  const [prod, dev] = [
    ['--context', 'prod'],
    ['--context', 'dev'],
  ];
  // Only the context without the overlay needs the base's variable and connection.
  expect(await perdure(['plan', ...dev])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('variables.yaml:3:23: [1].value: OTHER is not set'),
  });
  expect(await perdure(['plan', ...prod])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('overlays/prod.yaml:4:8: variables.URL: BANK_URL is not set'),
  });
  expect(await perdure(['plan', ...dev], { OTHER: 'x' })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('workflows/pay.yaml:7:19: nodes[0].connectionId: there is no connection "bank"'),
  });
  expect(await perdure(['apply', ...prod, '--yes'], SET)).toMatchObject({ code: 0, stderr: '' });
  const values = async () =>
    Object.fromEntries(
      (await home.api('GET', '/api/variables?expansion=name,value')).body.map(
        ({ name, value }: { name: string; value: unknown }) => [name, value],
      ),
    );
  expect(await values()).toEqual({ LIMIT: 5000, URL: 'https://bank.prod.example' });

  const pulled = async () => JSON.parse((await perdure(['pull', ...prod, '--json'], SET)).stdout);
  const same = (changed: Record<string, string> = {}) => {
    for (const [path, text] of Object.entries({ ...FILES, ...changed }))
      expect([path, read(path)]).toEqual([path, text]);
  };
  expect(await pulled()).toMatchObject({ written: [], removed: [] });
  same();
  const { body: variables } = await home.api('GET', '/api/variables?expansion=name');
  const idOf = (name: string) => variables.find((each: { name: string }) => each.name === name).id;
  await home.api('PATCH', `/api/variables/${idOf('LIMIT')}`, { body: { value: 7000 } });
  await home.api('PATCH', `/api/variables/${idOf('URL')}`, { body: { value: 'http://moved' } });
  const again = await perdure(['pull', ...prod], SET);
  expect(again).toMatchObject({ code: 0, stdout: 'wrote overlays/prod.yaml\n' });
  expect(again.stderr).toContain('Kept, though the server has another value:\n  overlays/prod.yaml: variables.URL');
  same({ 'overlays/prod.yaml': FILES['overlays/prod.yaml'].replace('5000', '7000') });
});

test('names that the files lack, and wrong members, are problems of validate at their lines', async () => {
  const where = commandFolder({});
  where.write({
    ...FILES,
    'overlays/prod.yaml': 'variables:\n  LIMITT: 1\nconnections:\n  bnak: bank\n',
    'overlays/test.yaml': 'variable: {}\nconnections: { bank: 5 }\n',
    'perdure.yaml':
      'environment: [OTHER]\nmoved:\n  - { kind: workflow, from: repay, to: pya }\n  - { kind: flow, from: a }\n',
  });
  const { code, stdout } = await where.perdure(['validate']);
  expect(code).toBe(4);
  expect(stdout.split('\n').slice(0, -1)).toEqual([
    'perdure.yaml:4:13: moved[1].kind: expected one of agent, app, knowledge, objectType, queue, variable, workflow',
    'perdure.yaml:4:5: moved[1].to: expected a text',
    'overlays/test.yaml:2:22: connections.bank: expected a text',
    'overlays/test.yaml:1:11: variable: is unknown, expected one of variables, connections',
    'overlays/prod.yaml:2:11: variables.LIMITT: variables.yaml has no variable LIMITT',
    'overlays/prod.yaml:4:9: connections.bnak: no file names @connection/bnak',
  ]);
  where.write({
    'overlays/prod.yaml': '',
    'overlays/test.yaml': '',
    'perdure.yaml': 'environment: [OTHER]\nmoved: [{ kind: workflow, from: repay, to: pya }]\n',
  });
  expect(await where.perdure(['validate'])).toMatchObject({
    code: 4,
    stdout: 'perdure.yaml:2:44: moved[0].to: there is no workflow pya to move to\n',
  });
});

test('perdure.yaml names the project, and moves what got a new slug', async () => {
  const home = await makeHome();
  const { body: other } = await home.api('POST', '/api/projects', { body: { name: 'Other', slug: 'other' } });
  const { perdure, write } = await folderOf(home);
  const given = ['--context', 'prod'];
  write({ 'perdure.yaml': 'project: other\n', 'workflows/before.yaml': 'name: Pay\nnodes: []\n' });
  expect((await perdure(['apply', ...given, '--yes'])).code).toBe(0);
  const read = async () => (await home.api('GET', `/api/workflows?filterBy=projectId:${other.id}&expansion=slug`)).body;
  const [{ id }] = await read();
  const clone = await folderOf(home);
  clone.write({
    'perdure.yaml': 'project: other\nmoved: [{ kind: workflow, from: before, to: after }]\n',
    'workflows/after.yaml': 'name: Pay\nnodes: []\n',
  });
  expect(await clone.perdure(['plan', ...given, '--delete'])).toMatchObject({
    code: 2,
    stdout: '~ workflow after  (moved from before)\n0 to create, 1 to update (1 moved), 0 to delete\n',
  });
  expect((await clone.perdure(['apply', ...given, '--delete', '--yes'])).code).toBe(0);
  expect(await read()).toEqual([expect.objectContaining({ id, slug: 'after' })]);
  expect((await clone.perdure(['plan', ...given, '--delete'])).code).toBe(0);
  clone.write({ 'workflows/hook.yaml': 'trigger: { type: webhook }\nnodes: []\n' });
  const applied = await clone.perdure(['apply', ...given, '--yes']);
  const hook = (await read()).find(({ slug }: { slug: string }) => slug === 'hook').id;
  const address = `${home.url}/api/webhooks/workflows/${hook}`;
  expect(applied.stdout).toContain(`\nApplied.\n  workflow hook  ${hook}  webhook ${address}\n`);
  expect((await home.api('POST', new URL(address).pathname, { body: {} })).status).toBe(200);
  // --project comes first.
  expect(await clone.perdure(['plan', ...given, '--project', home.projectId])).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('+ workflow after\n'),
  });
});

test('the steps of the GitHub workflow plan, report and apply', async () => {
  const home = await makeHome();
  const { folder, write } = commandFolder({});
  cpSync(join(PROJECT_ROOT, 'examples/ci'), folder, { recursive: true });
  const bin = join(folder, '.bin');
  write({ '.bin/perdure': `#!/bin/sh\nexec ${process.execPath} ${join(PROJECT_ROOT, 'dist/cli/main.js')} "$@"\n` });
  chmodSync(join(bin, 'perdure'), 0o755);
  const { jobs } = parse(readFileSync(join(folder, 'github-actions.yml'), 'utf8'));
  const env = {
    ...{ PATH: `${bin}:${process.env.PATH}`, XDG_CONFIG_HOME: folder, GITHUB_STEP_SUMMARY: join(folder, 'summary.md') },
    ...{ PERDURE_PROJECT: home.projectId, BANK_URL: 'https://bank.prod.example' },
  };
  const secrets = { PERDURE_URL: home.url, PERDURE_API_KEY: home.apiKey };
  const run = (script: string, more: object) =>
    new Promise<{ code: unknown; said: string }>((done) => {
      const options = { cwd: folder, env: { ...env, ...more } };
      execFile('bash', ['-eo', 'pipefail', '-c', script], options, (error, stdout, stderr) =>
        done({ code: error?.code ?? 0, said: stdout + stderr }),
      );
    });
  const steps = [...jobs.plan.steps, ...jobs.apply.steps].filter(({ run: script }) => /\bperdure [a-z]/.test(script));
  expect(steps).toHaveLength(4);
  for (const { run: script, env: own } of steps)
    expect(await run(script, own === undefined ? {} : secrets)).toMatchObject({ code: 0 });
  const report = readFileSync(join(folder, 'report.md'), 'utf8');
  expect(report).toContain('### Perdure plan: 3 to create, 0 to update, 0 to delete\n');
  expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toBe(report);
  for (const text of [report, readFileSync(join(folder, 'plan.json'), 'utf8')]) expect(text).not.toContain('bank.prod');
  const { body } = await home.api('GET', '/api/variables?expansion=name,value');
  expect(body).toContainEqual(expect.objectContaining({ name: 'exampleBankUrl', value: 'https://bank.prod.example' }));
  // Without changes the plan ends with 0, and can be applied too.
  for (const { run: script, env: own } of steps)
    expect(await run(script, own === undefined ? {} : secrets)).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, 'report.md'), 'utf8')).toBe('### Perdure plan: no changes\n');
  // Problems are in the report, and fail the step.
  write({ 'workflows/example-payment.yaml': 'nodes: [{ id: a, type: b }]\n' });
  const [, plan] = steps;
  expect(await run(plan.run, {})).toMatchObject({ code: 1 });
  expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('### Perdure plan: the files are not valid');
});
