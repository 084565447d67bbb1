import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import fc from 'fast-check';
import { isTerminal } from '../../domain/execution/status.ts';
import { type RandomGraph, type RandomGraphOptions, randomGraphs } from '../model/randomGraphs.ts';
import { eventsOf } from '../setup/api/events.ts';
import { webhook } from '../setup/workspace/graph.ts';
import type { Home } from '../setup/workspace/home.ts';
import { isCutOff, type Persistence, persist } from './persistence.ts';

export interface Life {
  random: RandomGraph;
  by: 'execute' | 'webhook';
  /** The start, as a fraction of the chaos, 0 to 1. */
  at: number;
  /** Sends the start twice at once, under the same key. */
  twice: boolean;
  /** The time that a person takes for a question. */
  thinkMs: number;
  /** Retry it if it fails. */
  again: boolean;
}

export function lives(options: RandomGraphOptions): fc.Arbitrary<Life> {
  return fc.record({
    random: randomGraphs(options),
    by: fc.constantFrom<Life['by']>('execute', 'webhook'),
    at: fc.noBias(fc.integer({ min: 0, max: 1_000 })).map((thousandths) => thousandths / 1_000),
    twice: fc.boolean(),
    thinkMs: fc.noBias(fc.integer({ min: 0, max: 6_000 })),
    again: fc.boolean(),
  });
}

/** The submissions to a question, and those that the API accepted. */
export interface Submitted {
  nodeId: string;
  tries: string[];
  accepted?: string;
  /** The status in the answer to a cancellation. */
  ended?: string;
}

export interface Lived {
  executionId: string;
  /** By step. */
  submitted: Map<string, Submitted>;
  again?: Lived;
}

export interface World {
  home: Home;
  temporal: Client;
  /** Retries of starts and of submissions. */
  starts: Persistence;
  inputs: Persistence;
  streams: Persistence;
  /** After an abort nothing is repeated. */
  signal: AbortSignal;
}

const CALL_MS = 20_000;

/** Starts it and retries it if required. `began` is called for each execution. */
export async function live(
  world: World,
  life: Life,
  workflowId: string,
  began: (executionId: string) => void,
): Promise<Lived> {
  const [path, status] =
    life.by === 'webhook'
      ? [`/api/webhooks/workflows/${workflowId}`, 200]
      : [`/api/executions/workflows/${workflowId}/execute`, 201];
  const executionId = await start(world, life, path as string, status as number);
  began(executionId);
  const { submitted, ended } = await accompany(world, life, executionId);
  if (!life.again || (ended !== 'FAILED' && ended !== 'CANCELLED')) return { executionId, submitted };
  const retryId = await start(world, life, `/api/executions/${executionId}/retry`, 201);
  began(retryId);
  const again = { executionId: retryId, submitted: (await accompany(world, life, retryId)).submitted };
  return { executionId, submitted, again };
}

/** Answers the questions of an execution and waits for its end, through any number of interrupted calls. */
export async function accompany(
  world: World,
  { random, thinkMs }: Life,
  executionId: string,
): Promise<{ submitted: Lived['submitted']; ended: string }> {
  const submitted: Lived['submitted'] = new Map();
  const people: Promise<void>[] = [];
  const ended = await untilEnded(world, executionId, ({ nodeId, stepId }) => {
    if (submitted.has(stepId)) return;
    const seen: Submitted = { nodeId, tries: [] };
    submitted.set(stepId, seen);
    const what = random.answers.get(nodeId);
    const acts = what === 'answer' ? answer : what === 'cancel' ? cancel : undefined;
    if (acts)
      people.push(
        sleep(thinkMs, undefined, { signal: world.signal }).then(() => acts(world, executionId, stepId, seen)),
      );
  });
  await Promise.all(people);
  return { submitted, ended };
}

/** Returns the id of the stored workflow. */
export function deploy({ home }: World, { random, by }: Life): Promise<string> {
  return home.deploy({
    ...random.graph,
    ...(by === 'webhook' ? { trigger: webhook({ respond: 'immediately' }) } : {}),
  });
}

/** Two requests under one key are one execution. */
async function start({ home, starts, signal }: World, { twice }: Life, path: string, status: number): Promise<string> {
  const headers = { 'idempotency-key': `start at ${path}` };
  const work = () => home.api('POST', path, { body: {}, headers, signal: AbortSignal.timeout(CALL_MS) });
  const once = async (): Promise<string> => {
    const started = await persist(work, starts, signal);
    const executionId = started.headers.get('x-execution-id') ?? started.body?.executionId;
    if (started.status === status && executionId) return executionId;
    throw new Error(`The start answered ${started.status} ${JSON.stringify(started.body)}`);
  };
  const ids = await Promise.all(twice ? [once(), once()] : [once()]);
  if (new Set(ids).size > 1) throw new Error(`One key started ${ids}`);
  return ids[0] as string;
}

interface Question {
  nodeId: string;
  stepId: string;
}

/** Reconnects whenever the stream is cut off. `asked` may be called again for the same question. */
async function untilEnded(
  { home, streams, signal }: World,
  executionId: string,
  asked: (question: Question) => void,
): Promise<string> {
  for (;;) {
    try {
      for await (const { data } of eventsOf(home.api, executionId)) {
        for (const question of data.pendingInput ?? []) asked(question);
        if (data.status !== undefined && isTerminal(data.status)) return data.status;
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
  stepId: string,
  seen: Submitted,
): Promise<void> {
  const { nodeId } = seen;
  const response = await persist(
    () => {
      seen.tries.push(`${nodeId} ${stepId}, try ${seen.tries.length}`);
      return home.submit(executionId, nodeId, { said: seen.tries.at(-1) }, stepId);
    },
    inputs,
    signal,
  );
  if (response.status === 200) seen.accepted = seen.tries.at(-1) as string;
  else if (response.status !== 409)
    throw new Error(`The input answered ${response.status} ${JSON.stringify(response.body)}`);
}

async function cancel({ home, signal }: World, executionId: string, _stepId: string, seen: Submitted): Promise<void> {
  const work = () => home.api('POST', `/api/executions/${executionId}/cancel`);
  const { status, body } = await persist(work, { repeats: 0 }, signal);
  if (status !== 200) throw new Error(`The cancellation answered ${status} ${JSON.stringify(body)}`);
  if (isTerminal(body.status)) seen.ended = body.status;
}
