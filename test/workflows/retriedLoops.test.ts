// test: long
import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Node } from '../../domain/workflow/definition.ts';
import { failuresOf, type MadeShape, makeShape, type Shape, shapes } from '../model/retriedLoops.ts';
import { loopback, type SeenCall } from '../setup/providers/loopback.ts';
import { action, chain, type Graph, manual } from '../setup/workspace/graph.ts';
import { makeHome, stepOf } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

/** Long form: RETRIED_LOOPS_RUNS=100. */
const RUNS = Number(process.env.RETRIED_LOOPS_RUNS ?? 6);
const SEED = Number(process.env.RETRIED_LOOPS_SEED ?? randomInt(2 ** 31));
const AT_ONCE = 3;

interface Row {
  nodeId: string;
  iteration: string;
  status: string;
  isCopy: boolean;
}

function stepsOf(executionId: string): Promise<Row[]> {
  return stackDatabase().$queryRaw<Row[]>`
    SELECT node_id AS "nodeId", iteration, status, copied_from_id IS NOT NULL OR iterations_kept IS NOT NULL AS "isCopy"
    FROM execution_steps WHERE execution_id = ${executionId}::uuid`;
}

const isLeaf = ({ type }: Node) => type !== 'forEach' && type !== 'repeat';
const nameOfRow = ({ nodeId, iteration }: Row) =>
  [nodeId, ...iteration.split('/').flatMap((part) => part.split(':')[1] ?? [])].join('-');

/** Records the calls of a chain of retries. Throws if one repeats completed work or uses another key. */
class ChainRecord {
  calls = 0;
  readonly #leaves: Set<string>;
  readonly #behindLoops: Set<string>;
  readonly #completed = new Map<string, number>();
  /** The key of each call, by the number of its step's earlier completions. */
  readonly #keys = new Map<string, Map<number, string>>();

  constructor({ nodes, behindLoops }: MadeShape) {
    this.#leaves = new Set(nodes.filter(isLeaf).map(({ id }) => id));
    this.#behindLoops = behindLoops;
  }

  /** `onPurpose`: the steps after a loop run again. */
  add(executionId: string, steps: Row[], calls: SeenCall[], onPurpose: boolean): void {
    const rows = steps.filter(({ nodeId, isCopy }) => this.#leaves.has(nodeId) && !isCopy);
    for (const row of rows) {
      const mayRun = this.#times(nameOfRow(row)) === 0 || (onPurpose && this.#behindLoops.has(row.nodeId));
      if (!mayRun) throw new Error(`${nameOfRow(row)} had completed, and ran again in ${executionId}`);
    }
    for (const call of calls) this.#addCall(call);
    for (const row of rows) {
      if (row.status === 'COMPLETED') this.#completed.set(nameOfRow(row), this.#times(nameOfRow(row)) + 1);
    }
  }

  #addCall({ url, headers }: SeenCall): void {
    this.calls += 1;
    const name = url.slice(1);
    const times = this.#times(name.replace(/^(one|two)-/, ''));
    const key = String(headers['idempotency-key']);
    const known = this.#keys.get(name) ?? new Map<number, string>();
    this.#keys.set(name, known.set(times, known.get(times) ?? key));
    for (const [other, used] of known) {
      if ((other === times) !== (used === key)) throw new Error(`${name}: its key is not of the same work`);
    }
  }

  #times(name: string): number {
    return this.#completed.get(name) ?? 0;
  }
}

/** Runs an execution and retries it until nothing fails; throws if a completed step runs again. */
async function live(shape: Shape[], seed: number): Promise<{ retries: number; calls: number }> {
  const home = await makeHome();
  const seen = new Map<string, number>();
  const server = await loopback(({ url }, response) => {
    const name = url.slice(1);
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    const isGood = times > failuresOf(name, seed);
    response.writeHead(isGood ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(name));
  });
  const url = server.url;
  const sub = await home.deploy({
    trigger: manual({ key: 'name', label: 'Name', type: 'text', required: true }),
    nodes: ['one', 'two'].map((id) =>
      action(id, 'http.request', { method: 'POST', url: `${url}/${id}-{{ trigger.name }}` }),
    ),
    edges: chain('one', 'two'),
  });
  const made = makeShape(shape, url, sub);
  const badAt = (round: number) => made.checks.filter((name) => failuresOf(name, seed) > round);
  const { body: bad } = await home.api('POST', '/api/variables', { body: { name: 'bad', value: badAt(0) } });
  const failures = made.calls.reduce((sum, name) => sum + failuresOf(name, seed), 0);
  // Each execution but the last uses up one failure of a call, or a check, whose failures depend on the round.
  const mostRetries = failures + Math.max(0, ...made.checks.map((name) => failuresOf(name, seed)));
  const record = new ChainRecord(made);
  let id = await home.execute(await home.deploy({ nodes: made.nodes, edges: made.edges } as Graph));
  let onPurpose = false;
  for (let retries = 0; retries <= mostRetries; retries += 1) {
    const { status, output } = await home.finished(id).then(() => home.read(id));
    record.add(id, await stepsOf(id), server.calls.splice(0), onPurpose);
    const loop = status === 'COMPLETED' ? JSON.stringify(stepOf(await home.read(id), 'n1').output) : '"error"';
    if (!loop.includes('"error"')) {
      expect(JSON.parse(loop, bodyOf)).toEqual(made.outputs[1]);
      expect(output.body).toBe('n2');
      return { retries, calls: record.calls };
    }
    await home.api('PATCH', `/api/variables/${bad.id}`, { body: { value: badAt(retries + 1) } });
    onPurpose = status === 'COMPLETED';
    const body = onPurpose ? { failedItems: 'again' } : {};
    const answer = await home.api('POST', `/api/executions/${id}/retry`, { body: { again: true, ...body } });
    expect(answer.status).toBe(201);
    id = answer.body.executionId;
  }
  throw new Error(`It has not come to an end after ${mostRetries} retries`);
}

function bodyOf(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('body' in value && 'status' in value) return value.body;
  return Array.isArray(value) ? value : 'checked';
}

test(
  `over any chain of retries each step that completed is called once, by one key: ${RUNS} random executions`,
  async () => {
    const graphs = fc.sample(shapes, { numRuns: RUNS, seed: SEED });
    const queue = [...graphs.entries()];
    const counts = { retries: 0, calls: 0 };
    const client = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [index, shape] = next;
        try {
          const { retries, calls } = await live(shape, SEED + index);
          counts.retries += retries;
          counts.calls += calls;
        } catch (error) {
          const details = JSON.stringify(shape);
          throw new Error(
            `RETRIED_LOOPS_SEED=${SEED} RETRIED_LOOPS_RUNS=${RUNS}, graph ${index}: ${(error as Error).message}\n${details}`,
          );
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    console.log(`retried loops: seed ${SEED}, ${RUNS} executions, ${JSON.stringify(counts)}`);
  },
  120_000 + 60_000 * RUNS,
);
