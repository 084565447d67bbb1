import type { Edge } from './definition.ts';

type Link = Pick<Edge, 'source' | 'target'>;

function targetsOf(ids: readonly string[], edges: readonly Link[]): Map<string, string[]> {
  const targets = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { source, target } of edges) {
    if (targets.has(target)) targets.get(source)?.push(target);
  }
  return targets;
}

/** Ties keep their order. Edges from other sources (the trigger) are ignored, nodes in or after a cycle left out. */
export function topologicalOrder(ids: readonly string[], edges: readonly Link[]): string[] {
  const targets = targetsOf(ids, edges);
  const waiting = new Map(ids.map((id) => [id, 0]));
  for (const list of targets.values()) for (const id of list) waiting.set(id, (waiting.get(id) ?? 0) + 1);
  const rank = new Map(ids.map((id, index) => [id, index]));
  const ready = new RankQueue((id) => rank.get(id) as number);
  for (const id of ids) if (waiting.get(id) === 0) ready.push(id);
  const order: string[] = [];
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    order.push(id);
    for (const target of targets.get(id) as string[]) {
      const left = (waiting.get(target) as number) - 1;
      waiting.set(target, left);
      if (left === 0) ready.push(target);
    }
  }
  return order;
}

class RankQueue {
  readonly #heap: string[] = [];
  readonly #rank: (id: string) => number;

  constructor(rank: (id: string) => number) {
    this.#rank = rank;
  }

  #before(a: number, b: number): boolean {
    return this.#rank(this.#heap[a] as string) < this.#rank(this.#heap[b] as string);
  }

  #swap(a: number, b: number): void {
    [this.#heap[a], this.#heap[b]] = [this.#heap[b] as string, this.#heap[a] as string];
  }

  push(id: string): void {
    this.#heap.push(id);
    let at = this.#heap.length - 1;
    while (at > 0 && this.#before(at, (at - 1) >> 1)) {
      this.#swap(at, (at - 1) >> 1);
      at = (at - 1) >> 1;
    }
  }

  pop(): string | undefined {
    const heap = this.#heap;
    if (heap.length === 0) return undefined;
    this.#swap(0, heap.length - 1);
    const first = heap.pop();
    let at = 0;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && this.#before(child, least)) least = child;
      if (least === at) return first;
      this.#swap(at, least);
      at = least;
    }
  }
}

export function findCycle(ids: readonly string[], edges: readonly Link[]): string[] | undefined {
  const ordered = new Set(topologicalOrder(ids, edges));
  const rest = ids.filter((id) => !ordered.has(id));
  const [start] = rest;
  if (start === undefined) return undefined;
  // Every remaining node has a remaining source, so walking backwards from any of them reaches a cycle.
  const source = new Map<string, string>();
  for (const edge of edges) {
    if (!ordered.has(edge.source) && !ordered.has(edge.target) && !source.has(edge.target))
      source.set(edge.target, edge.source);
  }
  const seen = new Map<string, number>();
  const path: string[] = [];
  let at = start;
  while (!seen.has(at)) {
    seen.set(at, path.length);
    path.push(at);
    at = source.get(at) as string;
  }
  return path.slice(seen.get(at)).reverse();
}

/** The result tells whether a path leads from `other` to `node`. The graph must be acyclic. Uses bit sets. */
export function upstreamOf(ids: readonly string[], edges: readonly Link[]): (node: string, other: string) => boolean {
  const index = new Map(ids.map((id, at) => [id, at]));
  const words = (ids.length + 31) >> 5;
  const bits = new Map(ids.map((id) => [id, new Uint32Array(words)]));
  const targets = targetsOf(ids, edges);
  for (const id of topologicalOrder(ids, edges)) {
    const mine = bits.get(id) as Uint32Array;
    const at = index.get(id) as number;
    for (const target of targets.get(id) as string[]) {
      const theirs = bits.get(target) as Uint32Array;
      for (let word = 0; word < words; word += 1) theirs[word] = (theirs[word] as number) | (mine[word] as number);
      theirs[at >> 5] = (theirs[at >> 5] as number) | (1 << (at & 31));
    }
  }
  return (node, other) => {
    const at = index.get(other);
    const set = bits.get(node);
    return at !== undefined && set !== undefined && (((set[at >> 5] as number) >>> (at & 31)) & 1) === 1;
  };
}
