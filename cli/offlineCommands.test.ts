import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { PROJECT_ROOT } from '../projectRoot.ts';
import { commandFolder } from '../test/setup/stack/commandLine.ts';

// Each test starts up to five processes of one second of CPU time, which exceeds the default under load.
jest.setTimeout(120_000);

let here: ReturnType<typeof commandFolder>;
beforeEach(() => {
  here = commandFolder({});
});

const perdure = (...words: string[]) => here.perdure(words);
const write = (path: string, text: string) => here.write({ [path]: text });

const EXPENSE = `
trigger: { id: trigger, type: manual, config: { fields: [{ key: amount, type: number, required: true }] } }
nodes:
  - { id: ask, type: input, inputs: { title: Pay?, fields: [{ key: ok, type: boolean, required: true }] } }
  - { id: keep, type: action, appId: queue, actionId: add, inputs: { queueId: "@queue/paid", data: { n: 1 } } }
  - { id: book, type: action, appId: http, actionId: request, connectionId: "@connection/bank", inputs: { url: "https://bank.example" } }
`;

test('a whole project is valid, with a secret that only the server knows and a connection that is in no folder', async () => {
  write('workflows/expense.yaml', EXPENSE);
  write('workflows/hook.yaml', 'trigger: { id: trigger, type: webhook, config: { secret: "********" } }\nnodes: []\n');
  write('queues/paid.yaml', 'name: Paid\n');
  write('objectTypes/invoice.yaml', 'attributeSchema: { type: object, properties: { total: { type: number } } }\n');
  write('knowledge/manual.yaml', 'name: Manual\n');
  write(
    'agents/desk.yaml',
    'name: Desk\nmodel: gpt-5-mini\ninstructions: Help.\nknowledgeIds: ["@knowledge/manual"]\n',
  );
  write('variables.yaml', '- { slug: LIMIT, value: 100 }\n- { slug: TOKEN, isSecret: true, value: "********" }\n');
  expect(await perdure('validate')).toEqual({ code: 0, stdout: '7 files are valid.\n', stderr: '' });
});

test('each problem names its file, its place and what was expected', async () => {
  write(
    'workflows/expense.yaml',
    EXPENSE.replace('actionId: add', 'actionId: ad').replace('type: input', 'type: inptu'),
  );
  write('queues/paid.yaml', 'name: Paid\nbatchSize: many\n');
  write('objectTypes/invoice.yaml', 'attributeSchema: { type: object, properties: { total: { type: nummer } } }\n');
  write(
    'agents/desk.yaml',
    'instructions: Help.\nworkflowIds: ["@workflow/nothing"]\ntools: [{ appId: http, actionId: x }]\n',
  );
  const { code, stdout } = await perdure('validate', '--json');
  expect(code).toBe(4);
  const { valid, problems } = JSON.parse(stdout) as { valid: boolean; problems: Record<string, string>[] };
  expect(valid).toBe(false);
  const places = problems.map(({ file, path }) => `${file} ${path}`);
  expect(places).toEqual(
    expect.arrayContaining([
      'workflows/expense.yaml nodes[0].type',
      'workflows/expense.yaml nodes[1].actionId',
      'queues/paid.yaml batchSize',
      'agents/desk.yaml workflowIds[0]',
    ]),
  );
  expect(places.filter((place) => place.startsWith('objectTypes/invoice.yaml attributeSchema'))).not.toEqual([]);
  const nowhere = problems.find(({ path }) => path === 'workflowIds[0]');
  expect(nowhere?.message).toBe('there is no workflow "nothing", in these files; --remote asks the server too');
  const people = await perdure('validate');
  expect(people.stdout).toContain(
    'workflows/expense.yaml:5:55: nodes[1].actionId: the app queue has no action ad, expected one of',
  );
});

test('prints warnings, and ends with 0 if there is nothing else; --json has the fix', async () => {
  const steps = (value: string) => `
nodes:
  - { id: big, type: condition, inputs: { condition: "{{ trigger.n > 1 }}" } }
  - { id: ask, type: action, appId: core, actionId: transform, inputs: { value: 1 } }
  - id: end
    type: action
    appId: core
    actionId: transform
    onError: continue
    inputs:
      value: "${value}"
edges:
  - { source: big, target: ask, sourceHandle: "true" }
  - { source: big, target: end, sourceHandle: "false" }
  - { source: ask, target: end }
`;
  write('workflows/warned.yaml', steps('{{ steps.ask.output }}'));
  const { code, stdout } = await perdure('validate');
  expect({ code, lines: stdout.split('\n') }).toEqual({
    code: 0,
    lines: [
      expect.stringMatching(
        /^workflows\/warned\.yaml:11:14: nodes\[2\]\.inputs\.value: warning: the step ask may be skipped/,
      ),
      '1 file is valid.',
      '',
    ],
  });
  const value = '{{ steps.?ask.output.orValue(null) }}';
  expect(JSON.parse((await perdure('validate', '--json')).stdout)).toMatchObject({
    valid: true,
    problems: [
      {
        ...{ file: 'workflows/warned.yaml', code: 'STEP_MAY_BE_SKIPPED', severity: 'warning', line: 11, column: 14 },
        fix: { edits: [{ path: 'nodes[2].inputs.value', value }] },
      },
    ],
  });
  write('workflows/warned.yaml', steps(value));
  expect((await perdure('validate')).stdout).toBe('1 file is valid.\n');
});

test('reports a file that is not YAML, a name that is not listed, and an empty folder', async () => {
  expect(await perdure('validate')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('workflows/<slug>.yaml'),
  });
  write('workflows/expense.yaml', 'nodes: [\n');
  expect(await perdure('validate')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('workflows/expense.yaml'),
  });
  write('workflows/expense.yaml', `name: "${'$'}{env:NOWHERE}"\nnodes: []\n`);
  const place = `workflows/expense.yaml:1:7: name: ${'$'}{env:NOWHERE} is not listed`;
  expect(await perdure('validate')).toMatchObject({ code: 4, stdout: expect.stringContaining(place) });
  write('perdure.yaml', 'environment: [NOWHERE]\n');
  expect(await perdure('validate')).toMatchObject({ code: 0 });
  write('perdure.yaml', 'enviroment: [NOWHERE]\nowner: "a b"\n');
  const { code, stdout } = await perdure('validate');
  expect({ code, stdout }).toEqual({
    code: 4,
    stdout: expect.stringContaining('perdure.yaml:1:13: enviroment: is unknown'),
  });
  expect(stdout).toContain('perdure.yaml:2:8: owner: expected');
});

test.each(['[', '{a: ', '- '])('a file of 200,000 times %s is a problem with its path', async (open) => {
  write('queues/paid.yaml', `name: ${open === '- ' ? '\n' : ''}${open.repeat(200_000)}`);
  const { code, stdout, stderr } = await perdure('validate');
  expect({ code, stdout, stderr }).toEqual({
    ...{ code: 4, stdout: '' },
    stderr: 'perdure: queues/paid.yaml is nested too deeply, at most 200 levels are allowed\n',
  });
});

test('writes types, and checks them until a file changes', async () => {
  write('workflows/expense.yaml', EXPENSE);
  const check = () => perdure('types', '-o', 'perdure.d.ts', '--check');
  expect(await check()).toMatchObject({ code: 2, stderr: expect.stringContaining('perdure.d.ts does not exist') });
  expect((await perdure('types', '-o', 'perdure.d.ts')).code).toBe(0);
  expect(readFileSync(join(here.folder, 'perdure.d.ts'), 'utf8')).toContain('amount: number;');
  expect((await perdure('types')).stdout).toBe(readFileSync(join(here.folder, 'perdure.d.ts'), 'utf8'));
  expect((await check()).code).toBe(0);
  write('workflows/expense.yaml', EXPENSE.replace('amount', 'sum'));
  expect(await check()).toMatchObject({ code: 2, stderr: expect.stringContaining('is out of date') });
});

test('prints the schema of each kind of file', async () => {
  const workflow = await perdure('schema', 'workflow');
  expect(workflow).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(workflow.stdout)).toMatchObject({ $ref: '#/$defs/WorkflowUpsert' });
  expect(JSON.parse((await perdure('schema', 'tests')).stdout)).toMatchObject({ properties: { workflow: {} } });
  expect(await perdure('schema', 'workflows')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(
      'expected agent, app, knowledge, objectType, queue, variable, workflow, overlay, settings or tests',
    ),
  });
});

test('ends silently when its reader goes away, as head does', async () => {
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'dist/cli/main.js'), 'schema', 'workflow']);
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect({ said, code }).toEqual({ said: '', code: 141 });
});
