// test: long
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as files hold them
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loopback } from '../setup/providers/loopback.ts';
import { commandFolder } from '../setup/stack/commandLine.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const folderOf = ({ url, apiKey, projectId }: Pick<Home, 'url' | 'apiKey' | 'projectId'>) =>
  commandFolder({ PERDURE_URL: url, PERDURE_API_KEY: apiKey, PERDURE_PROJECT: projectId });

const CLOUD = { AWS_SECRET_ACCESS_KEY: 'CI-AWS-SECRET-123' };

test('a reference that somebody stored on the server is pulled as text, and never filled in', async () => {
  const home = await makeHome();
  const stored = 'Nightly ${env:PERDURE_API_KEY} and ${env:AWS_SECRET_ACCESS_KEY}, $${x} $$${env:A}';
  await home.deploy({ slug: 'notes', description: stored, nodes: [] } as never);
  const { perdure, read, write } = folderOf(home);
  write({ 'perdure.yaml': 'environment: [AWS_SECRET_ACCESS_KEY]\n' });
  expect((await perdure(['pull', '.'], CLOUD)).code).toBe(0);
  expect(read('workflows/notes.yaml')).toContain(
    'Nightly $${env:PERDURE_API_KEY} and $${env:AWS_SECRET_ACCESS_KEY}, $$${x} $$$${env:A}',
  );
  expect(read('perdure.yaml')).toBe('environment: [AWS_SECRET_ACCESS_KEY]\n');
  expect(await perdure(['plan', '.'], CLOUD)).toMatchObject({ code: 0 });
  write({
    'workflows/notes.yaml': `${read('workflows/notes.yaml')}timeoutMs: 60000\n`.replace('timeoutMs: null\n', ''),
  });
  expect(await perdure(['apply', '.', '--yes'], CLOUD)).toMatchObject({ code: 0 });
  const { body } = await home.api('GET', `/api/projects/${home.projectId}/export`);
  expect(body.resources[0]).toMatchObject({ description: stored, timeoutMs: 60_000 });
});

const DEFINED = {
  'workflows/notes.yaml': `# By hand
description: Called with \${env:TOKEN_OF_BANK} at \${env:HOST}
nodes:
  - { id: note, type: action, appId: core, actionId: set, inputs: { values: { pin: "\${env:PIN}" } } }
`,
  'perdure.yaml': 'environment: [TOKEN_OF_BANK, HOST, PIN]\n',
};
const VALUES = { TOKEN_OF_BANK: 'tok-4711-secret', HOST: 'bank.example', PIN: '42' };

test('only listed names are filled in, and what they hold is shown as *** by plan, apply and a saved plan', async () => {
  const home = await makeHome();
  const { perdure, write, read, folder } = folderOf(home);
  write({ ...DEFINED, 'perdure.yaml': 'environment: [HOST, PERDURE_API_KEY]\n' });
  const message = 'description: ${env:TOKEN_OF_BANK} is not listed';
  const refused = await perdure(['validate'], VALUES);
  expect(refused).toMatchObject({ code: 4, stdout: expect.stringContaining(`workflows/notes.yaml:2:14: ${message}`) });
  expect(refused.stdout).toContain('perdure.yaml:1:21: environment[1]: PERDURE_API_KEY cannot be filled in');
  expect(refused.stdout).toContain('workflows/notes.yaml:4:84: nodes[0].inputs.values.pin: ${env:PIN} is not listed');
  const stderr = expect.stringContaining(`workflows/notes.yaml:2:14: ${message}`);
  for (const command of [['plan'], ['apply', '--yes']])
    expect(await perdure(command, VALUES)).toMatchObject({ code: 4, stderr });

  write(DEFINED);
  // Without the variables, the files are valid and the plan names the places.
  expect(await perdure(['validate'])).toMatchObject({ code: 0 });
  const unset = await perdure(['plan'], { ...VALUES, PIN: undefined as never });
  expect(unset).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('workflows/notes.yaml:4:84: nodes[0].inputs.values.pin: PIN is not set'),
  });

  const said: string[] = [];
  const ran = async (words: string[], code: number) => {
    const result = await perdure(words, VALUES);
    said.push(result.stdout, result.stderr);
    expect(result).toMatchObject({ code });
    return result.stdout;
  };
  expect(await ran(['plan', '--out', 'plan.json'], 2)).toContain('Called with *** at ***');
  expect(JSON.parse(await ran(['plan', '--json'], 2)).plan[0].changes).toContainEqual(
    expect.objectContaining({ path: 'description', to: 'Called with *** at ***' }),
  );
  expect(statSync(join(folder, 'plan.json')).mode & 0o777).toBe(0o600);
  expect(read('plan.json')).toContain('Called with *** at ***');
  for (const value of Object.values(VALUES)) expect(read('plan.json')).not.toContain(`"${value}"`);
  expect(read('plan.json')).not.toContain('tok-4711-secret');
  expect(await perdure(['apply', 'plan.json'], { HOST: 'bank.example' })).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(
      /notes\.yaml: description: TOKEN_OF_BANK is not set[\s\S]*notes\.yaml: nodes\[0\]\.inputs\.values\.pin: PIN is not set/,
    ),
  });
  const changed = { ...VALUES, HOST: 'elsewhere.example' };
  expect(await perdure(['apply', 'plan.json'], changed)).toMatchObject({ code: 3 });
  await ran(['apply', 'plan.json'], 0);
  write({ 'workflows/notes.yaml': DEFINED['workflows/notes.yaml'].replace('Called', 'Sent') });
  const changes = JSON.parse(await ran(['plan', '--json'], 2)).plan[0].changes;
  expect(changes).toEqual([{ path: 'description', from: 'Called with *** at ***', to: 'Sent with *** at ***' }]);
  await ran(['apply', '--yes', '--json'], 0);
  for (const value of ['tok-4711-secret', 'bank.example', '"42"']) expect(said.join('\n')).not.toContain(value);
  const { body } = await home.api('GET', `/api/projects/${home.projectId}/export`);
  expect(body.resources[0].description).toBe('Sent with tok-4711-secret at bank.example');
  // A broken file is replaced, and only its owner can read the new one.
  writeFileSync(join(folder, 'open.json'), '{}', { mode: 0o644 });
  await ran(['plan', '--out', 'open.json'], 0);
  expect(statSync(join(folder, 'open.json')).mode & 0o777).toBe(0o600);
});

const SHOP = {
  'workflows/refund.yaml': `# Refunds, by finance
name: Refund
trigger: {id: trigger, type: manual, config: {fields: [{key: amount, type: number, required: true}]}}
nodes:
  # Every refund is approved
  - id: approval
    type: input
    inputs: {title: "Pay?", fields: [{key: approved, type: boolean, required: true}]}
  - id: book   # in the ledger
    type: action
    appId: queue
    actionId: add
    inputs: {queueId: "@queue/paid", data: {n: 1}}
edges:
  - {id: e1, source: approval, target: book}
`,
  'workflows/steps.yaml': `# A short form
steps:
  - {id: one, appId: core, actionId: set, inputs: {values: {n: 1}}}
`,
  'queues/paid.yml': 'name: Paid # by hand\n',
  'objectTypes/claim.yaml': '# A claim\nattributeSchema: {type: object, properties: {total: {type: number}}}\n',
  'agents/desk.yaml':
    '# The desk\nmodel: gpt-5-mini\ninstructions: Help.\nworkflowIds: ["@workflow/steps", "@workflow/refund"]\n',
  'variables.yaml': `# Limits of finance
- slug: LIMIT
  value: 100 # EUR
- {slug: PAYOUT_URL, value: "\${env:PAYOUT_URL}"}
- slug: TOKEN
  isSecret: true
  value: \${env:BANK_TOKEN}
`,
  'perdure.yaml': '# Names that are filled in\nenvironment: [PAYOUT_URL, BANK_TOKEN]\n',
};
const SET = { PAYOUT_URL: 'http://127.0.0.1:43190', BANK_TOKEN: 'bank-token-1' };

test('pull rewrites the one value that the API changed, and leaves all else as it is to the byte', async () => {
  const home = await makeHome();
  const { perdure, write, read } = folderOf(home);
  write(SHOP);
  expect(await perdure(['apply', '--yes'], SET)).toMatchObject({ code: 0, stderr: '' });
  const pulled = async (environment: Record<string, string> = SET) =>
    JSON.parse((await perdure(['pull', '--json'], environment)).stdout);
  const same = (changed: Record<string, string> = {}) => {
    for (const [path, text] of Object.entries({ ...SHOP, ...changed }))
      expect([path, read(path)]).toEqual([path, text]);
  };
  expect(await pulled()).toMatchObject({ written: [], removed: [] });
  same();

  const { body: variables } = await home.api('GET', '/api/variables?expansion=name');
  const limit = variables.find(({ name }: { name: string }) => name === 'LIMIT');
  await home.api('PATCH', `/api/variables/${limit.id}`, { body: { value: 250 } });
  expect(await pulled()).toMatchObject({ written: ['variables.yaml'], removed: [] });
  const limited = { 'variables.yaml': SHOP['variables.yaml'].replace('value: 100 # EUR', 'value: 250 # EUR') };
  same(limited);

  // A reference stays: one whose variable is unset cannot be compared, and one with another value gets a note.
  const unset = await perdure(['pull'], { BANK_TOKEN: 'other' });
  expect(unset).toMatchObject({ code: 0, stderr: expect.stringContaining('variables.yaml: 1.value') });
  same(limited);
  const other = await perdure(['pull'], { ...SET, PAYOUT_URL: 'http://elsewhere' });
  expect(other).toMatchObject({
    code: 0,
    stdout: 'Nothing has changed.\n',
    stderr: expect.stringContaining('Kept, though the server has another value:\n  variables.yaml: 1.value'),
  });
  same(limited);

  const { body: queues } = await home.api('GET', '/api/queues?expansion=slug');
  const paid = queues.find(({ slug }: { slug: string }) => slug === 'paid');
  await home.api('PATCH', `/api/queues/${paid.id}`, { body: { maxConcurrent: 40 } });
  expect(await pulled()).toMatchObject({ written: ['queues/paid.yml'] });
  same({ ...limited, 'queues/paid.yml': `${SHOP['queues/paid.yml']}maxConcurrent: 40\n` });
  expect(await perdure(['plan'], { ...SET, PAYOUT_URL: 'x' })).toMatchObject({ code: expect.any(Number) });
});

test('a folder that is pulled again and applied elsewhere is the same project, whatever its texts hold', async () => {
  const [home, other] = [await makeHome(), await makeHome()];
  const first = folderOf(home);
  first.write({ ...SHOP, 'queues/paid.yml': 'name: "$${env:A} $$${ \\"x\\" # y"\n' });
  expect((await first.perdure(['apply', '--yes'], SET)).code).toBe(0);
  const second = folderOf(home);
  expect((await second.perdure(['pull'])).code).toBe(0);
  const fresh = parse(second.read('workflows/refund.yaml'));
  expect(Object.keys(fresh).slice(0, 5)).toEqual(['name', 'description', 'trigger', 'nodes', 'edges']);
  expect(Object.keys(fresh.nodes[1]).slice(0, 4)).toEqual(['id', 'type', 'appId', 'actionId']);
  expect(await second.perdure(['plan'])).toMatchObject({ code: 0 });
  const files = Object.fromEntries(
    readdirSync(second.folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.yaml'))
      .map((path) => [path, second.read(path).replace('"********"', 'bank-token-1')]),
  );
  const third = folderOf(other);
  third.write(files);
  expect((await third.perdure(['apply', '--yes'])).code).toBe(0);
  const exported = async ({ api, projectId }: Home) => (await api('GET', `/api/projects/${projectId}/export`)).body;
  expect(await exported(other)).toEqual(await exported(home));
});

async function pulledFrom(resources: object[], prepare: (folder: string) => void = () => {}) {
  const { url } = await loopback((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ resources }));
  });
  const where = commandFolder({ PERDURE_URL: url, PERDURE_API_KEY: 'key', PERDURE_PROJECT: randomUUID() });
  mkdirSync(join(where.folder, 'infra/perdure'), { recursive: true });
  prepare(where.folder);
  const ran = await where.perdure(['pull', 'infra/perdure']);
  return { ...ran, ...where };
}

const GOOD = { kind: 'queue', slug: 'paid', name: 'Paid' };

test.each<[string, object]>([
  ['a way out', { kind: 'workflow', slug: '../../escaped/.github/workflows/evil', on: 'push' }],
  ['a folder', { kind: 'queue', slug: 'a/b' }],
  ['a name that begins with a dot', { kind: 'agent', slug: '.github' }],
  ['no text', { kind: 'queue', slug: ['x'] }],
  ['65 characters', { kind: 'queue', slug: 'a'.repeat(65) }],
  ['a kind of the prototype', { kind: 'constructor', slug: 'a' }],
])('a server whose slug is %s gets nothing written, also nothing of what is well named', async (_, resource) => {
  const { code, stderr, folder } = await pulledFrom([GOOD, resource]);
  expect({ code, stderr }).toEqual({ code: 4, stderr: expect.not.stringContaining('    at ') });
  expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()).toEqual(['infra', 'infra/perdure']);
});

test('pull writes and removes through no link, of a folder or of a file', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'perdure-outside-'));
  writeFileSync(join(outside, 'paid.yaml'), 'name: Mine\n');
  writeFileSync(join(outside, 'gone.yaml'), 'name: Gone\n');
  const untouched = () => {
    expect(readFileSync(join(outside, 'paid.yaml'), 'utf8')).toBe('name: Mine\n');
    expect(existsSync(join(outside, 'gone.yaml'))).toBe(true);
  };
  const linked = await pulledFrom([{ ...GOOD, kind: 'agent', slug: 'a' }, GOOD], (folder) =>
    symlinkSync(outside, join(folder, 'infra/perdure/queues')),
  );
  expect(linked).toMatchObject({ code: 4, stderr: expect.stringContaining('queues is a symbolic link') });
  expect(existsSync(join(linked.folder, 'infra/perdure/agents'))).toBe(false);
  untouched();
  for (const slug of ['paid', 'new']) {
    const file = await pulledFrom([{ ...GOOD, slug }], (folder) => {
      mkdirSync(join(folder, 'infra/perdure/queues'));
      symlinkSync(
        join(outside, slug === 'paid' ? 'paid.yaml' : 'fresh.yaml'),
        join(folder, `infra/perdure/queues/${slug}.yaml`),
      );
    });
    expect(file.code).toBe(4);
  }
  expect(existsSync(join(outside, 'fresh.yaml'))).toBe(false);
  untouched();
});

test('--delete takes what its owner applied, and nothing of the API, of another folder or of the examples', async () => {
  const home = await makeHome();
  await home.deploy({ slug: 'byhand', nodes: [] } as never);
  await home.api('POST', `/api/projects/${home.projectId}/apply`, {
    body: { resources: [{ kind: 'queue', slug: 'example', name: 'Example' }], owner: 'examples' },
  });
  const [finance, sales] = [folderOf(home), folderOf(home)];
  finance.write({
    'workflows/expense.yaml': 'nodes: []\n',
    'queues/paid.yaml': 'name: Paid\n',
    'variables.yaml': '- { slug: F, value: 1 }\n',
  });
  sales.write({
    'perdure.yaml': 'owner: sales\n',
    'workflows/offer.yaml': 'nodes: []\n',
    'objectTypes/lead.yaml': 'name: Lead\n',
    'agents/a.yaml': 'model: m\ninstructions: i\n',
  });
  for (const { perdure } of [finance, sales]) {
    expect((await perdure(['apply', '--yes'])).code).toBe(0);
    expect(await perdure(['plan', '--delete'])).toMatchObject({
      code: 0,
      stdout: '0 to create, 0 to update, 0 to delete\n',
    });
  }
  const { body: project } = await home.api('GET', `/api/projects/${home.projectId}?expansion=slug`);
  const { body: rows } = await home.api('GET', '/api/workflows?expansion=slug,owner');
  expect(Object.fromEntries(rows.map((each: { slug: string; owner: string }) => [each.slug, each.owner]))).toEqual({
    ...{ byhand: null, expense: project.slug, offer: 'sales' },
  });
  // A pull leaves out what other folders own, and has what nobody owns.
  for (const { perdure } of [finance, sales]) expect((await perdure(['pull'])).code).toBe(0);
  const workflowsOf = ({ folder }: typeof finance) => readdirSync(join(folder, 'workflows')).sort();
  expect([workflowsOf(finance), workflowsOf(sales)]).toEqual([
    ['byhand.yaml', 'expense.yaml'],
    ['byhand.yaml', 'offer.yaml'],
  ]);
  for (const { folder } of [finance, sales]) rmSync(join(folder, 'workflows/byhand.yaml'));
  finance.write({ 'variables.yaml': '[]\n' });
  expect((await finance.perdure(['plan', '--delete'])).stdout).toContain('- variable F\n');
  expect((await finance.perdure(['apply', '--delete', '--yes'])).code).toBe(0);
  const { body } = await home.api('GET', `/api/projects/${home.projectId}/export`);
  expect(body.resources.map(({ slug }: { slug: string }) => slug)).toEqual(
    expect.arrayContaining(['byhand', 'example', 'expense', 'paid', 'offer', 'lead', 'a']),
  );
  expect(body.resources).toHaveLength(7);

  // Another owner's resource is a problem at its file, until it is taken over; the same in each clone.
  const clone = folderOf(home);
  clone.write({ 'perdure.yaml': 'owner: sales\n', 'workflows/expense.yaml': 'name: Ours\nnodes: []\n' });
  const problem = `workflows/expense.yaml:1:1: workflow expense belongs to the owner ${project.slug}, and this is sales`;
  for (const command of [['plan'], ['apply', '--yes']])
    expect(await clone.perdure(command)).toMatchObject({ code: 4, stderr: expect.stringContaining(problem) });
  expect((await clone.perdure(['apply', '--yes', '--take-over'])).code).toBe(0);
  const again = folderOf(home);
  again.write({ 'perdure.yaml': 'owner: sales\n', 'workflows/offer.yaml': 'nodes: []\n' });
  expect((await again.perdure(['plan', '--delete'])).stdout).toBe(
    '- agent a\n- objectType lead\n- workflow expense\n0 to create, 0 to update, 3 to delete\n',
  );
});
