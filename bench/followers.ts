import { once, setMaxListeners } from 'node:events';
import { createParser } from 'eventsource-parser';
import { Agent, request } from 'undici';
import { FOLLOWERS } from './engineRows.ts';
import { cpuMs } from './processes.ts';
import type { Execution } from './readExecution.ts';
import type { Sample } from './sampler.ts';
import type { BenchStack } from './stack.ts';

interface Followed {
  id: string;
  go(): Promise<unknown>;
  ended(): Promise<Execution>;
}

/** Returns the newest time in an event: when the reported change happened. */
function newest(data: Execution): number {
  const times = (data.executionPath ?? []).flatMap(({ startedAt, stoppedAt }: Execution) => [startedAt, stoppedAt]);
  return Math.max(...times.filter(Boolean).map((time: string) => Date.parse(time)));
}

/** A follower's cost is the processor time of API and worker beyond that of an execution without followers. */
export async function followedSample(stack: BenchStack, begin: () => Promise<Followed>): Promise<Sample> {
  const nobody = async () => undefined;
  // The first run includes compilation, which is not a cost of followers.
  await cpuOf(stack, await begin(), nobody);
  const alone = await cpuOf(stack, await begin(), nobody);
  const agent = new Agent({ connections: FOLLOWERS, bodyTimeout: 0 });
  const values: number[] = [];
  const followed = await begin();
  let opened = 0;
  const follow = async (signal: AbortSignal) => {
    const answer = await request(`${stack.credentials.url}/api/executions/${followed.id}/stream`, {
      headers: { 'x-api-key': stack.credentials.apiKey },
      dispatcher: agent,
      signal,
    });
    if (answer.statusCode !== 200) throw new Error(`the stream answered ${answer.statusCode}`);
    let isFirst = true;
    const parser = createParser({
      onEvent: ({ event, data }) => {
        const arrivedAt = performance.timeOrigin + performance.now();
        if (isFirst) opened += 1;
        else if (event === 'execution.progress') values.push(arrivedAt - newest(JSON.parse(data)));
        isFirst = false;
      },
    });
    const decoder = new TextDecoder();
    answer.body.on('data', (piece: Buffer) => parser.feed(decoder.decode(piece, { stream: true })));
    await once(answer.body, 'end');
  };
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const following = Promise.all(Array.from({ length: FOLLOWERS }, () => follow(controller.signal)));
  following.catch(() => undefined);
  try {
    while (opened < FOLLOWERS) await Promise.race([following, new Promise((go) => setTimeout(go, 20))]);
    const cpu = await cpuOf(stack, followed, () => following);
    const events = values.length / FOLLOWERS;
    return {
      values,
      notes: {
        'ms of processor time of API and worker for each follower and event': (cpu - alone) / (FOLLOWERS * events),
        'ms for each event, all followers together': (cpu - alone) / events,
        'ms for the whole execution with followers': cpu,
        'ms for it without': alone,
        'events sent to each follower': events,
      },
    };
  } finally {
    controller.abort();
    await agent.destroy();
  }
}

async function cpuOf(stack: BenchStack, { go, ended }: Followed, until: () => Promise<unknown>): Promise<number> {
  const processes = { 'API and worker': stack.pid };
  const before = (await cpuMs(processes))['API and worker'] ?? 0;
  await go();
  await until();
  await ended();
  return ((await cpuMs(processes))['API and worker'] ?? 0) - before;
}
