import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Catalogue } from '../../domain/app/manifest.ts';
import { workflowOutputs } from '../../domain/outputs/workflowOutputs.ts';
import type { Definition } from '../../domain/workflow/definition.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';

const ajv = new Ajv2020({ strict: false });

interface Read {
  status: string;
  output: unknown;
  executionPath: { nodeId: string; status: string; output: unknown; iteration: unknown[] }[];
}

/** Checks that a completed execution has the outputs that `perdure types` derives from the definition. */
export function compareOutputs(
  definition: Definition,
  catalogue: Catalogue,
  { status, output, executionPath }: Read,
): void {
  if (status !== 'COMPLETED') return;
  const known = workflowOutputs(new Map([['it', definition]]), new Map(), catalogue).get('it');
  if (!known) throw new Error('Nothing is known of it');
  expectAbout(problemsOf(known.output, output), 'the output and its type').toEqual([]);
  for (const [id, { schema, always }] of known.steps) {
    const ran = executionPath.filter(({ nodeId }) => nodeId === id);
    const isTop = definition.nodes.some((node) => node.id === id && node.parentId === undefined);
    if (always && isTop) expectAbout(ran.length, `${id} runs always`).toBe(1);
    const seen = ran.filter((step) => step.status === 'COMPLETED').map((step) => step.output);
    if (isTop) for (const each of seen) expectAbout(problemsOf(schema, each), `${id} and its type`).toEqual([]);
    else expectAbout(problemsOf(schema, seen), `${id} and its type`).toEqual([]);
  }
}

function problemsOf(schema: object, value: unknown): string[] {
  const result: object = JSON.parse(JSON.stringify(schema, (key, each) => (key === 'format' ? undefined : each)));
  if (ajv.validate(result, value)) return [];
  return (ajv.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message}: ${JSON.stringify(value)} by ${JSON.stringify(result)}`,
  );
}
