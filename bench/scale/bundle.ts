import { action } from '../definitions.ts';
import type { ScaleStack } from './scaleStack.ts';

/** Applies `count` resources in one bundle (workflows that call the next one, queues, variables), then changes each. */
export async function bundle(scale: ScaleStack, count: number): Promise<void> {
  const { client } = scale;
  const { body: project } = await client.call('POST', '/api/projects', { name: 'scale-bundle' });
  const path = `/api/projects/${project.id}`;
  const resources = (round: number) =>
    Array.from({ length: count }, (_, n) => {
      if (n % 5 === 3) return { kind: 'queue', slug: `q-${n}`, batchSize: 10 + round };
      if (n % 5 === 4) return { kind: 'variable', slug: `V_${n}`, value: round };
      const next = Math.floor(((n + 5) % count) / 5) * 5;
      const nodes = [
        ...Array.from({ length: 8 }, (_each, at) => action(`n${at}`, 'core', 'set', { values: { round, at } })),
        { id: 'next', type: 'runWorkflow', inputs: { workflowId: `@workflow/w-${next}` } },
      ];
      return { kind: 'workflow', slug: `w-${n}`, nodes, edges: [] };
    });
  const send = async (body: object, expected: string) => {
    const { status, body: answer } = await client.call('POST', `${path}/apply`, body);
    const actions = new Set((answer.plan ?? []).map(({ action: does }: { action: string }) => does));
    if (status !== 200 || [...actions].join() !== expected) throw new Error(`apply answered ${status} ${[...actions]}`);
    return { resources: answer.plan.length };
  };
  await scale.stage(`apply of ${count} new resources`, () => send({ resources: resources(0) }, 'create'));
  await scale.stage('the same again', () => send({ resources: resources(0) }, 'unchanged'));
  await scale.stage('plan of a change of each', () => send({ resources: resources(1), dryRun: true }, 'update'));
  await scale.stage('apply of a change of each', () => send({ resources: resources(1) }, 'update'));
  const { body: other } = await client.call('POST', '/api/projects', { name: 'scale-single' });
  await scale.stage(`${count} of them by requests of their own`, async () => {
    for (const { kind, ...body } of resources(0)) {
      const { status } = await client.call(
        'POST',
        pathOf(kind, other.id),
        kind === 'workflow' ? alone(body) : named(body),
      );
      if (status >= 300) throw new Error(`${kind} answered ${status}`);
    }
    return { resources: count };
  });
  await scale.stage('export', async () => {
    const { body } = await client.call('GET', `${path}/export`);
    return { resources: body.resources.length };
  });
}

function pathOf(kind: string, projectId: string): string {
  if (kind === 'workflow') return `/api/projects/${projectId}/workflows/upsert`;
  return kind === 'queue' ? `/api/queues?projectId=${projectId}` : '/api/variables';
}

function named({ slug, ...body }: Record<string, unknown>): object {
  return { name: slug, ...body };
}

/** Refers to the called workflow by slug, because its id is unknown. */
function alone(body: Record<string, unknown>): object {
  return JSON.parse(JSON.stringify(body).replaceAll(/"workflowId":"@workflow\/([^"]+)"/g, '"slug":"$1"'));
}
