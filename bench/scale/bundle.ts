import { action } from '../definitions.ts';
import type { ScaleStack } from './scaleStack.ts';

/** So many resources in one bundle: workflows that call the next one, queues, variables; then the same with one change each. */
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
  await scale.stage('export', async () => {
    const { body } = await client.call('GET', `${path}/export`);
    return { resources: body.resources.length };
  });
}
