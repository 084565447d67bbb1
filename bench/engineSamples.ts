import { setTimeout as sleep } from 'node:timers/promises';
import { ENGINE_DEFINITIONS, WORKER_APP } from './engineDefinitions.ts';
import { DELAY_MS, type EngineRowName, ITEMS, STEP_MS, STEPS } from './engineRows.ts';
import { followedSample } from './followers.ts';
import { jsonClient } from './jsonClient.ts';
import { mustBe } from './mustBe.ts';
import { type Execution, isEnded, readUntil, stepOf } from './readExecution.ts';
import type { SampledSide, Sampler } from './sampler.ts';
import type { BenchStack } from './stack.ts';
import { now, SETTLE_MS, timed } from './timing.ts';

const items = Array.from({ length: ITEMS }, (_, index) => index);
const doubled = items.map((item) => item * 2);
/** For rows in which polling would be a large part of the measured time. */
const SELDOM_MS = 1_000;
/** Deploys the row's workflow; returns a function that takes a sample. Throws if the API rejects the workflow. */
export async function ourSampler(name: EngineRowName, stack: BenchStack): Promise<SampledSide> {
  const { url, apiKey, projectId } = stack.credentials;
  const client = jsonClient(url, { 'x-api-key': apiKey });
  const definition = { slug: `bench-engine-${name.toLowerCase()}`, ...ENGINE_DEFINITIONS[name] };
  if (name === 'workerSteps') await client.call('POST', `/api/projects/${projectId}/apps/upsert`, WORKER_APP);
  const { body: deployed } = await client.call('POST', `/api/projects/${projectId}/workflows/upsert`, definition);
  const hook = (body: unknown) => client.call('POST', `/api/webhooks/workflows/${deployed.id}`, body);
  const execute = async (): Promise<string> =>
    (await client.call('POST', `/api/executions/workflows/${deployed.id}/execute`, {})).body.executionId;
  // Use no credentials, like people who follow a link.
  const open = jsonClient(url, {});
  const submit = (id: string) => open.call('POST', `/api/webhooks/executions/${id}/nodes/ask/input`, { said: 'yes' });
  const asked = (id: string) => readUntil(client, id, ({ pendingInput }) => pendingInput.length > 0);

  const samplers: Record<EngineRowName, Sampler> = {
    async forEachInline() {
      const { tookMs, value } = await timed(() => hook({ items }));
      mustBe(value.body, doubled);
      return { values: [tookMs / ITEMS] };
    },
    async forEachRemote() {
      const { tookMs, value } = await timed(() => hook({ items }));
      mustBe(value.body, doubled);
      return { values: [(ITEMS * 1_000) / tookMs] };
    },
    async steps() {
      const { tookMs } = await timed(() => hook({}));
      return { values: [tookMs / STEPS - STEP_MS] };
    },
    async workerSteps() {
      const { tookMs } = await timed(() => hook({}));
      return { values: [tookMs / STEPS] };
    },
    async delay() {
      const { headers } = await hook({});
      const execution = await readUntil(client, String(headers['x-execution-id']), isEnded);
      const [from, to] = ['delay', 'after'].map((id) => Date.parse(stepOf(execution, id).startedAt)) as [
        number,
        number,
      ];
      return { values: [to - from - DELAY_MS] };
    },
    async input() {
      const id = await execute();
      await asked(id);
      await sleep(SETTLE_MS);
      const submittedAt = now();
      await submit(id);
      // Following from the beginning would slow it down.
      await sleep(SETTLE_MS);
      const execution = await readUntil(client, id, isEnded);
      return { values: [Date.parse(stepOf(execution, 'next').startedAt) - submittedAt] };
    },
    async stream() {
      const run = async () => {
        const id = await execute();
        await asked(id);
        return { id, go: () => submit(id), ended: () => readUntil(client, id, isEnded, SELDOM_MS) };
      };
      return followedSample(stack, run);
    },
    async cancel() {
      const id = await execute();
      const isRunning = ({ executionPath }: Execution) =>
        executionPath.length > 0 && executionPath.every(({ status }: { status: string }) => status === 'RUNNING');
      await readUntil(client, id, isRunning);
      await sleep(SETTLE_MS);
      const { tookMs } = await timed(async () => {
        await client.call('POST', `/api/executions/${id}/cancel`, {});
        await readUntil(client, id, ({ status }) => status === 'CANCELLED');
      });
      return { values: [tookMs] };
    },
  };
  return { sample: samplers[name], close: () => client.close() };
}

export function bareSampler(name: EngineRowName, url: string): SampledSide | undefined {
  if (name === 'stream') return undefined;
  const client = jsonClient(url);
  const work = (body?: unknown) => timed(() => client.call('POST', `/engine/${name}`, body));
  const samplers: Record<Exclude<EngineRowName, 'stream'>, Sampler> = {
    async forEachInline() {
      const { tookMs, value } = await work({ items });
      mustBe(value.body, doubled);
      return { values: [tookMs / ITEMS] };
    },
    async forEachRemote() {
      const { tookMs, value } = await work({ items });
      mustBe(value.body, doubled);
      return { values: [(ITEMS * 1_000) / tookMs] };
    },
    async steps() {
      const { tookMs } = await work();
      return { values: [tookMs / STEPS - STEP_MS] };
    },
    async workerSteps() {
      const { tookMs } = await work();
      return { values: [tookMs / STEPS] };
    },
    async delay() {
      const { value } = await work();
      return { values: [value.body] };
    },
    async input() {
      const { workflowId } = (await work()).value.body;
      await sleep(SETTLE_MS);
      const submittedAt = now();
      await client.call('POST', `/engine/input/${workflowId}`);
      const { body: ranAt } = await client.call('GET', `/engine/input/${workflowId}`);
      return { values: [ranAt - submittedAt] };
    },
    async cancel() {
      const { workflowId } = (await work()).value.body;
      await sleep(SETTLE_MS);
      const { tookMs, value } = await timed(() => client.call('POST', `/engine/cancel/${workflowId}`));
      mustBe(value.body, 'CANCELLED');
      return { values: [tookMs] };
    },
  };
  return { sample: samplers[name], close: () => client.close() };
}
