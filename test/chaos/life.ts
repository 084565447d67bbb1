import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import fc from 'fast-check';
import { isTerminal } from '../../domain/execution/status.ts';
import { type RandomGraph, type RandomGraphOptions, randomGraphs } from '../model/randomGraphs.ts';
import { eventsOf } from '../setup/events.ts';
import { webhook } from '../setup/graph.ts';
import type { Home } from '../setup/home.ts';
import { isCutOff, type Persistence, persist } from './persistence.ts';

/** An execution to be, and what people will do with it. */
export interface Life {
  random: RandomGraph;
  by: 'execute' | 'webhook';
  /** When in the time of the chaos it is started, 0 to 1. */
  at: number;
  /** The start is sent twice at the same time, under the same key. */
  twice: boolean;
  /** How long a person thinks about a question. */
  thinkMs: number;
}

export function lives(options: RandomGraphOptions): fc.Arbitrary<Life> {
  return fc.record({
    random: randomGraphs(options),
    by: fc.constantFrom<Life['by']>('execute', 'webhook'),
    at: fc.noBias(fc.integer({ min: 0, max: 1_000 })).map((thousandths) => thousandths / 1_000),
    twice: fc.boolean(),
    thinkMs: fc.noBias(fc.integer({ min: 0, max: 6_000 })),
  });
}

/** What was submitted to a question, and which of it the API said that it took. */
export interface Submitted {
  tries: string[];
  accepted?: string;
  /** The end that a cancellation told. */
  ended?: string;
}

export interface Lived {
  executionId: string;
  submitted: Map<string, Submitted>;
}

export interface World {
  home: Home;
  temporal: Client;
  /** Of starts and of inputs. */
  starts: Persistence;
  inputs: Persistence;
  streams: Persistence;
  /** When it is aborted nobody asks on. */
  signal: AbortSignal;
}

const CALL_MS = 20_000;

/** Starts it, answers what is asked, and stays until it has ended, however often its calls are cut off. */
export async function live(
  world: World,
  life: Life,
  workflowId: string,
  started: (executionId: string) => void,
): Promise<Lived> {
  const keyed = { 'idempotency-key': `start of ${workflowId}` };
  const ids = await Promise.all(
    Array.from({ length: life.twice ? 2 : 1 }, () => start(world, life.by, workflowId, keyed)),
  );
  const [executionId = ''] = ids;
  if (ids.some((id) => id !== executionId)) throw new Error(`One key started ${ids}`);
  started(executionId);
  const submitted = new Map<string, Submitted>();
  const people: Promise<void>[] = [];
  await untilEnded(world, executionId, (nodeId) => {
    if (submitted.has(nodeId)) return;
    const seen: Submitted = { tries: [] };
    submitted.set(nodeId, seen);
    const what = life.random.answers.get(nodeId);
    const acts = what === 'answer' ? answer : what === 'cancel' ? cancel : undefined;
    if (acts)
      people.push(
        sleep(life.thinkMs, undefined, { signal: world.signal }).then(() => acts(world, executionId, nodeId, seen)),
      );
  });
  await Promise.all(people);
  return { executionId, submitted };
}

/** Stores the workflow of a life; answers its id. */
export function deploy({ home }: World, { random, by }: Life): Promise<string> {
  return home.deploy({
    ...random.graph,
    ...(by === 'webhook' ? { trigger: webhook({ respond: 'immediately' }) } : {}),
  });
}

async function start(
  { home, starts, signal }: World,
  by: Life['by'],
  workflowId: string,
  headers: Record<string, string>,
): Promise<string> {
  const [path, status] =
    by === 'webhook'
      ? [`/api/webhooks/workflows/${workflowId}`, 200]
      : [`/api/executions/workflows/${workflowId}/execute`, 201];
  const work = () => home.api('POST', path as string, { body: {}, headers, signal: AbortSignal.timeout(CALL_MS) });
  const started = await persist(work, starts, signal);
  const executionId = started.headers.get('x-execution-id') ?? started.body?.executionId;
  if (started.status !== status || !executionId) {
    throw new Error(`The start answered ${started.status} ${JSON.stringify(started.body)}`);
  }
  return executionId;
}

/** Follows the stream, anew whenever it is cut off; `asked` hears of open questions, of the same one repeatedly. */
async function untilEnded({ home, streams, signal }: World, executionId: string, asked: (nodeId: string) => void) {
  for (;;) {
    try {
      for await (const { data } of eventsOf(home.api, executionId)) {
        for (const { nodeId } of data.pendingInput ?? []) asked(nodeId);
        if (data.status !== undefined && isTerminal(data.status)) return;
      }
    } catch (error) {
      if (!isCutOff(error) && !/The stream answered 503/.test((error as Error).message)) throw error;
    }
    streams.repeats += 1;
    await sleep(400, undefined, { signal });
  }
}

async function answer(
  { home, inputs, signal }: World,
  executionId: string,
  nodeId: string,
  seen: Submitted,
): Promise<void> {
  const told = await persist(
    () => {
      seen.tries.push(`${nodeId}, try ${seen.tries.length}`);
      return home.submit(executionId, nodeId, { said: seen.tries.at(-1) });
    },
    inputs,
    signal,
  );
  if (told.status === 200) seen.accepted = seen.tries.at(-1) as string;
  else if (told.status !== 409) throw new Error(`The input answered ${told.status} ${JSON.stringify(told.body)}`);
}

async function cancel({ home, signal }: World, executionId: string, _nodeId: string, seen: Submitted): Promise<void> {
  const work = () => home.api('POST', `/api/executions/${executionId}/cancel`);
  const { status, body } = await persist(work, { repeats: 0 }, signal);
  if (status !== 200) throw new Error(`The cancellation answered ${status} ${JSON.stringify(body)}`);
  if (isTerminal(body.status)) seen.ended = body.status;
}
