import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFunctionApps } from '../cli/functions/functionApps.ts';
import { type AppRowName, CALLS, CUSTOM_ACTIONS } from './appRows.ts';
import { action, inARow, WEBHOOK } from './definitions.ts';
import { jsonClient } from './jsonClient.ts';
import { mustBe } from './mustBe.ts';
import type { SampledSide, Sampler } from './sampler.ts';
import type { BenchStack } from './stack.ts';
import { timed } from './timing.ts';

const SOURCE = `import { defineAction } from 'perdure-client/functions';
export const add = defineAction({
  name: 'Add',
  inputs: { fields: [{ key: 'value', type: 'number', required: true }] },
  run: ({ value }) => value + 1,
});
`;
const STEPS = Array.from({ length: CALLS }, (_, index) => `step${index}`);
const LARGE_APP = {
  slug: 'bench-large',
  runs: { on: 'http', baseUrl: 'https://large.example' },
  actions: Array.from({ length: CUSTOM_ACTIONS }, (_, index) => ({
    ...{
      actionId: `action${index}`,
      name: `Action ${index}`,
      description: 'One of many, with fields as an import has.',
    },
    inputConfig: {
      fields: Array.from({ length: 8 }, (_, at) => ({
        ...{ key: `field${at}`, label: `Field ${at}`, type: at % 2 === 0 ? 'text' : 'number', required: at < 2 },
        help: 'What the service says about it, in a sentence of usual length.',
      })),
    },
  })),
};

interface Side {
  stack: BenchStack;
  bareUrl: string;
  client: ReturnType<typeof jsonClient>;
}

export async function ourAppSide(name: AppRowName, stack: BenchStack, bareUrl: string): Promise<SampledSide> {
  const side = sideOf(stack, bareUrl);
  if (name === 'functionSteps') await storeFunction(side);
  else await side.client.call('POST', `/api/projects/${stack.credentials.projectId}/apps/upsert`, LARGE_APP);
  const sample = name === 'functionSteps' ? await stepsSampler(side, 'function') : catalogueSampler(side);
  return { sample, close: () => side.client.close() };
}

/** Both sides are ours: the rows compare two ways of the same product. */
export function otherAppSide(name: AppRowName, bareUrl: string, stack: BenchStack): Promise<SampledSide> | undefined {
  return name === 'customCatalogue' ? undefined : httpSide(sideOf(stack, bareUrl));
}

async function httpSide(side: Side): Promise<SampledSide> {
  return { sample: await stepsSampler(side, 'http'), close: () => side.client.close() };
}

function sideOf(stack: BenchStack, bareUrl: string): Side {
  return { stack, bareUrl, client: jsonClient(stack.credentials.url, { 'x-api-key': stack.credentials.apiKey }) };
}

async function stepsSampler({ stack, bareUrl, client }: Side, kind: 'function' | 'http'): Promise<Sampler> {
  const step = (id: string) =>
    kind === 'function'
      ? action(id, 'bench-function', 'add', { value: 1 })
      : action(id, 'http', 'request', { url: `${bareUrl}/provider/v1/models` });
  const { body } = await client.call('POST', `/api/projects/${stack.credentials.projectId}/workflows/upsert`, {
    ...{ slug: `bench-app-${kind}`, trigger: WEBHOOK, nodes: STEPS.map(step), edges: inARow(STEPS) },
    output: kind === 'function' ? `{{ steps.${STEPS.at(-1)}.output }}` : `{{ steps.${STEPS.at(-1)}.output.status }}`,
  });
  return async () => {
    const { tookMs, value } = await timed(() => client.call('POST', `/api/webhooks/workflows/${body.id}`, {}));
    mustBe(value.body, kind === 'function' ? 2 : 200);
    return { values: [tookMs / CALLS] };
  };
}

function catalogueSampler({ client }: Side): Sampler {
  return async () => {
    const { tookMs, value } = await timed(() => client.call('GET', '/api/workflow-apps?limit=1000'));
    const found = value.body.find(({ appId }: { appId: string }) => appId === LARGE_APP.slug);
    mustBe(found?.actions.length, CUSTOM_ACTIONS);
    return { values: [tookMs] };
  };
}

/** Bundles a function as `apply` does. */
async function storeFunction({ stack: { credentials }, client }: Side): Promise<void> {
  const { url, apiKey, projectId } = credentials;
  const folder = await mkdtemp(join(tmpdir(), 'perdure-bench-function-'));
  try {
    await mkdir(join(folder, 'functions'));
    await writeFile(join(folder, 'functions/bench-function.ts'), SOURCE);
    const { stored, contents } = await withFunctionApps(folder, new Map());
    for (const [digest, code] of contents) {
      const headers = { 'x-api-key': apiKey, 'content-type': 'application/octet-stream' };
      const { status } = await fetch(`${url}/api/apps/contents/${digest}`, { method: 'PUT', body: code, headers });
      mustBe(status, 200);
    }
    for (const [{ kind: _, ...app } = { kind: '' }] of stored.values()) {
      await client.call('POST', `/api/projects/${projectId}/apps/upsert`, app);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
