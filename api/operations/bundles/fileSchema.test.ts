import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { BUNDLE_KINDS, type BundleKind } from '../../../domain/bundle/bundle.ts';
import { readProjectFiles } from '../../../embedded/projectFiles.ts';
import { PROJECT_ROOT } from '../../../projectRoot.ts';
import { offlineSchema } from './offlineSchema.ts';

const validators = new Map(
  BUNDLE_KINDS.map((kind) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    return [kind as string, ajv.compile(offlineSchema(kind))];
  }),
);

function places(kind: BundleKind, file: unknown): string[] {
  const validate = validators.get(kind);
  if (!validate || validate(file)) return [];
  const found = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if' && keyword !== 'anyOf');
  return [
    ...new Set(
      found.map(({ instancePath, params }) =>
        `${instancePath} ${params.additionalProperty ?? params.missingProperty ?? ''}`.trim(),
      ),
    ),
  ];
}

test('each file of the examples fits the schema of its kind', async () => {
  const examples = join(PROJECT_ROOT, 'examples');
  const folders = readdirSync(examples, { withFileTypes: true }).filter((each) => each.isDirectory());
  const seen = new Set<string>();
  for (const { name } of folders) {
    for (const [path, resources] of await readProjectFiles(join(examples, name))) {
      const bare = resources.map(({ kind: _, slug, ...fields }) =>
        path === 'variables.yaml' ? { slug, ...fields } : fields,
      );
      const kind = resources[0]?.kind as BundleKind;
      seen.add(kind);
      expect([name, path, places(kind, kind === 'variable' ? bare : bare[0])]).toEqual([name, path, []]);
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining(['workflow', 'agent', 'queue', 'objectType']));
});

test('unknown apps, actions, inputs and members are found at their places; expressions and references fit', () => {
  const action = { id: 'a', type: 'action', appId: 'http', actionId: 'request' };
  const workflow = (...nodes: object[]) => ({ nodes, edges: [] });
  expect(
    places('workflow', workflow({ ...action, inputs: { url: 'https://a.example', method: '{{ trigger.m }}' } })),
  ).toEqual([]);
  expect(places('workflow', workflow({ ...action, connectionId: '@connection/bank', inputs: { url: 'x' } }))).toEqual(
    [],
  );
  expect(places('workflow', workflow(action))).toEqual(['/nodes/0 inputs']);
  expect(places('workflow', workflow({ ...action, inputs: { url: 'x', methode: 'GET' } }))).toEqual([
    '/nodes/0/inputs methode',
  ]);
  expect(places('workflow', workflow({ ...action, actionId: 'get' }))).toEqual(['/nodes/0/actionId']);
  expect(places('workflow', workflow({ ...action, appId: 'https' }))).toEqual(['/nodes/0/appId']);
  expect(places('workflow', workflow({ id: 'a', type: 'inptu' }))).toEqual(['/nodes/0/type']);
  expect(places('workflow', workflow({ id: 'a', type: 'input', inputs: { title: 'T', feilds: [] } }))).toEqual([
    '/nodes/0/inputs fields',
    '/nodes/0/inputs feilds',
  ]);
  expect(places('queue', { batchSize: 'many' })).toEqual(['/batchSize']);
  expect(places('agent', { model: 'm', knowledgeIds: ['@knowledge/manual'] })).toEqual(['instructions']);
  expect(places('variable', [{ slug: 'A', value: 1 }, { value: 2 }])).toEqual(['/1 slug']);
});
