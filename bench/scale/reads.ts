import { createParser } from 'eventsource-parser';
import { request } from 'undici';
import type { ScaleStack } from './scaleStack.ts';

const PAGE = 1_000;

/** Reads the end of a long loop: its totals, and the steps of its newest iterations. */
export async function readPath(
  { client }: ScaleStack,
  executionId: string,
  loopId: string,
  iterations: number,
): Promise<object> {
  const startedAt = performance.now();
  const { body } = await client.call('GET', `/api/executions/${executionId}?expansion=executionPath,status,output`);
  const ms = Math.round(performance.now() - startedAt);
  const loop = body.executionPath.find(({ nodeId }: { nodeId: string }) => nodeId === loopId);
  if (loop?.iterations?.completed !== iterations) throw new Error(`totals: ${JSON.stringify(loop?.iterations)}`);
  return { ms, bytes: JSON.stringify(body).length, steps: body.executionPath.length };
}

export async function pageThrough(
  { client }: ScaleStack,
  executionId: string,
  nodeId: string,
  expected: number,
): Promise<object> {
  const times: number[] = [];
  const seen = new Set<string>();
  const first = `/api/executions/${executionId}/steps?limit=${PAGE}&filterBy=nodeId:${nodeId}`;
  for (let path: string | undefined = first; path; ) {
    const startedAt = performance.now();
    const { body, headers } = await client.call('GET', path);
    times.push(performance.now() - startedAt);
    for (const { id } of body) seen.add(id);
    const next = /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1];
    path = next === undefined ? undefined : next.replace(/^https?:\/\/[^/]+/, '');
  }
  if (seen.size !== expected) throw new Error(`${seen.size} of ${expected} steps came by page`);
  return { count: times.length, longestMs: Math.round(Math.max(...times)), lastMs: Math.round(times.at(-1) ?? 0) };
}

export async function followLoop({ stack }: ScaleStack, executionId: string): Promise<object> {
  const counts: Record<string, number> = {};
  let bytes = 0;
  let largest = 0;
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => {
      counts[event] = (counts[event] ?? 0) + 1;
      bytes += data.length;
      largest = Math.max(largest, data.length);
    },
  });
  const { credentials } = stack;
  const answer = await request(`${credentials.url}/api/executions/${executionId}/stream`, {
    headers: { 'x-api-key': credentials.apiKey },
    bodyTimeout: 0,
  });
  const decoder = new TextDecoder();
  for await (const piece of answer.body) parser.feed(decoder.decode(piece as Buffer, { stream: true }));
  if (counts['execution.finished'] !== 1) throw new Error(`the stream had no single end: ${JSON.stringify(counts)}`);
  return { ...counts, bytes, largest };
}
