import { isJsonObject, type Json } from '../../json.ts';
import { pathTo } from '../../place.ts';
import { type Edge, isLoop, type Node, TRIGGER_ID } from '../definition.ts';
import { topologicalOrder, upstreamOf } from '../graph.ts';
import { loopsAround } from '../parents.ts';
import { Comparisons } from './comparisons.ts';
import { ALWAYS, type Formula, Formulas, NEVER } from './formulas.ts';
import { NodeReader, type PlacedRead } from './nodeReader.ts';

export interface WaysGraph {
  nodes: readonly Node[];
  edges: readonly Edge[];
  output: Json | undefined;
}

/** How a node decides: each way out by its handle, undefined for the plain one. */
interface Decided {
  ways: ReadonlyMap<string | undefined, Formula>;
  /** When its inputs can be evaluated. */
  succeeds: Formula;
}

/**
 * When each node runs, as a formula over all decisions: results of conditions, cases, failures that do not end the
 * execution, expired questions. Follows the reducer of executions: a node runs if one of its incoming edges was taken,
 * and starts only after all nodes before it have ended.
 */
export class StepWays {
  readonly formulas = new Formulas();
  readonly #comparisons = new Comparisons(this.formulas);
  readonly #reader = new NodeReader({
    formulas: this.formulas,
    comparisons: this.#comparisons,
    ran: (node, step) => this.#ran(node, step),
    begins: (node) => (node === undefined ? this.#finished : this.begins(node.id)),
    takes: (step, handle) => {
      const type = this.#nodes.get(step)?.type;
      const decides = (type === 'condition' || type === 'switch') && this.#decided.has(step);
      return decides ? this.takes(step, handle) : undefined;
    },
  });
  readonly #nodes: ReadonlyMap<string, Node>;
  readonly #edges: readonly Edge[];
  readonly #places: ReadonlyMap<string, string>;
  readonly #isUpstream: (node: string, other: string) => boolean;
  readonly #runs = new Map<string, Formula>();
  readonly #reaches = new Map<string, Formula>();
  readonly #begins = new Map<string, Formula>();
  readonly #stops: readonly Node[];
  /** When a node has not ended the execution by its failure, nor has one before it. */
  readonly #passes = new Map<string, Formula>();
  readonly #decided = new Map<string, Decided>();

  /** The graph must be acyclic. Throws TooManyWays if it has too many independent decisions. */
  constructor({ nodes, edges, output }: WaysGraph, placeOf: (node: Node) => string) {
    const ids = nodes.map(({ id }) => id);
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#places = new Map(nodes.map((node) => [node.id, placeOf(node)]));
    this.#stops = nodes.filter(({ type }) => type === 'stop');
    this.#edges = edges;
    this.#isUpstream = upstreamOf(ids, edges);
    const order = topologicalOrder(ids, edges).map((id) => this.#nodes.get(id) as Node);
    this.#follow(order, undefined, ALWAYS);
    if (output !== undefined) this.#readOutput(order, output);
  }

  get reads(): readonly PlacedRead[] {
    return this.#reader.reads;
  }

  /** When an execution comes to the node: no failure before it has ended the execution. */
  reaches(id: string): Formula {
    return this.#reaches.get(id) ?? ALWAYS;
  }

  /** Like `reaches`, without the ways on which a stop node ends the execution at the same time. */
  begins(id: string): Formula {
    return this.#begins.get(id) ?? ALWAYS;
  }

  /** When the node takes the way out, if it begins. */
  takes(id: string, handle: string | undefined): Formula {
    return this.#decided.get(id)?.ways.get(handle) ?? NEVER;
  }

  /** The decisions that are possible together. Complete once all is read. */
  possible(): Formula {
    return this.#comparisons.possible();
  }

  #follow(order: readonly Node[], parentId: string | undefined, on: Formula): void {
    const scope = order.filter((node) => node.parentId === parentId);
    for (const node of scope) this.#enter(node, on);
    for (const loop of scope.filter(({ type }) => isLoop(type))) {
      const inside = isEmptyLoop(loop) ? NEVER : this.begins(loop.id);
      this.#follow(order, loop.id, inside);
      if (loop.type === 'repeat') this.#readConditions(loop, order);
    }
  }

  #enter(node: Node, on: Formula): void {
    const { formulas } = this;
    const runs = this.#reached(node, on);
    const passed = this.#incoming(node).map(({ source }) => this.#passes.get(source) ?? ALWAYS);
    const before = formulas.and(on, ...passed);
    this.#runs.set(node.id, runs);
    this.#reaches.set(node.id, formulas.and(runs, before));
    this.#begins.set(node.id, formulas.and(runs, before, formulas.not(this.#stopped(node, on))));
    const decided = this.#decide(node);
    this.#decided.set(node.id, decided);
    const endsIt = (node.onError ?? 'fail') === 'fail';
    const survives = endsIt ? formulas.or(formulas.not(runs), decided.succeeds) : ALWAYS;
    this.#passes.set(node.id, formulas.and(before, survives));
  }

  #incoming({ id }: Node): Edge[] {
    return this.#edges.filter(({ target }) => target === id);
  }

  #reached(node: Node, on: Formula): Formula {
    const incoming = this.#incoming(node);
    if (incoming.length === 0 || incoming.some(({ source }) => source === TRIGGER_ID)) return on;
    const taken = incoming.map(({ source, sourceHandle }) =>
      this.formulas.and(this.#runs.get(source) ?? ALWAYS, this.takes(source, sourceHandle)),
    );
    return this.formulas.or(...taken);
  }

  /** When a stop node ends the execution at the latest when the node would begin: both wait for the same nodes. */
  #stopped({ id, parentId }: Node, on: Formula): Formula {
    const stops = this.#stops.filter(
      (stop) => stop.parentId === parentId && stop.id !== id && this.#isBefore(stop, id),
    );
    return this.formulas.or(...stops.map((stop) => this.#reached(stop, on)));
  }

  #isBefore(stop: Node, nodeId: string): boolean {
    return this.#incoming(stop).every(({ source }) => source === TRIGGER_ID || this.#isUpstream(nodeId, source));
  }

  #decide(node: Node): Decided {
    const { formulas } = this;
    const { id, type, inputs = {}, onError = 'fail' } = node;
    const place = pathTo(this.#places.get(id) ?? '', 'inputs');
    const decides = type === 'condition' || type === 'switch';
    const others = Object.entries(inputs).filter(([key]) => !decides && !(type === 'repeat' && isAround(key)));
    const evaluated = others.map(([key, value]) => this.#reader.readValue(node, value, pathTo(place, key)));
    const made: Decided =
      type === 'condition'
        ? this.#condition(node, place)
        : type === 'switch'
          ? this.#switch(node, place)
          : { ways: new Map([[undefined, ALWAYS]]), succeeds: formulas.and(...evaluated) };
    const ways = new Map(type === 'input' ? this.#answered(node) : made.ways);
    if (onError === 'fail') return { ...made, ways };
    const fails = formulas.or(formulas.decision(`${id} fails`), formulas.not(made.succeeds));
    for (const [handle, when] of ways) ways.set(handle, formulas.and(when, formulas.not(fails)));
    const afterFailure = onError === 'route' ? 'error' : undefined;
    ways.set(afterFailure, formulas.or(ways.get(afterFailure) ?? NEVER, fails));
    return { ways, succeeds: made.succeeds };
  }

  #condition(node: Node, place: string): Decided {
    const { yes, no } = this.#reader.truth(node, node.inputs?.condition ?? null, pathTo(place, 'condition'), ALWAYS);
    const handles: [string, Formula][] = [
      ['true', yes],
      ['false', no],
    ];
    return { ways: new Map<string | undefined, Formula>(handles), succeeds: this.formulas.or(yes, no) };
  }

  /** The cases after the first one that is true are not evaluated. */
  #switch(node: Node, place: string): Decided {
    const { formulas } = this;
    const { value, cases } = node.inputs ?? {};
    const hasValue = value !== undefined && value !== null;
    const succeeds = hasValue ? this.#reader.readValue(node, value, pathTo(place, 'value')) : ALWAYS;
    const handles = new Map<string | undefined, Formula>();
    let left = succeeds;
    for (const [index, one] of (Array.isArray(cases) ? cases : []).entries()) {
      if (!isJsonObject(one) || typeof one.name !== 'string') continue;
      const path = pathTo(pathTo(place, 'cases'), index);
      const { yes, no } = hasValue
        ? this.#reader.equals(node, value, one.equals ?? null, pathTo(path, 'equals'), left)
        : this.#reader.truth(node, one.when ?? null, pathTo(path, 'when'), left);
      handles.set(one.name, formulas.and(left, yes));
      left = formulas.and(left, no);
    }
    handles.set('default', left);
    return { ways: handles, succeeds: formulas.or(...handles.values()) };
  }

  #answered({ id, inputs }: Node): [string | undefined, Formula][] {
    const expires = this.#edges.some(({ source, sourceHandle }) => source === id && sourceHandle === 'expired');
    const isTimed = inputs?.expiresInMs !== undefined && inputs.expiresInMs !== null;
    if (!expires || !isTimed) return [[undefined, ALWAYS]];
    const expired = this.formulas.decision(`${id} expires`);
    return [
      [undefined, this.formulas.not(expired)],
      ['expired', expired],
    ];
  }

  /** Steps that cannot have run before the reader are reported as such elsewhere. */
  #ran(node: Node | undefined, step: string): Formula {
    const read = this.#nodes.get(step);
    if (read === undefined) return ALWAYS;
    if (node === undefined) return read.parentId === undefined ? (this.#runs.get(step) ?? ALWAYS) : ALWAYS;
    if (read.parentId === node.id) return this.#inside === node.id ? (this.#runs.get(step) ?? ALWAYS) : ALWAYS;
    const around = [...loopsAround(this.#nodes, node.id), undefined];
    const scope = around.indexOf(read.parentId);
    const standIn = scope === 0 ? node.id : around[scope - 1];
    if (standIn === undefined || !this.#isUpstream(standIn, step)) return ALWAYS;
    return this.#runs.get(step) ?? ALWAYS;
  }

  /** The repeat whose conditions are being read. */
  #inside: string | undefined;
  /** When a scope has ended, while an expression is read that is evaluated after it. */
  #finished: Formula = ALWAYS;

  /** `until` is evaluated after an iteration. `while` also before the first one, which has no steps yet. */
  #readConditions(loop: Node, order: readonly Node[]): void {
    const { formulas } = this;
    const inside = order.filter(({ parentId }) => parentId === loop.id);
    const place = pathTo(this.#places.get(loop.id) ?? '', 'inputs');
    this.#inside = loop.id;
    const begins = this.begins(loop.id);
    for (const key of AROUND_ITERATIONS) {
      const value = loop.inputs?.[key];
      if (value === undefined || value === null) continue;
      const saved = new Map(inside.map(({ id }) => [id, this.#runs.get(id) as Formula]));
      if (key === 'until') this.#begins.set(loop.id, formulas.and(begins, this.#ended(inside)));
      // How an author tells the first iteration from others is not followed.
      else if (!/\bloops?\b/.test(JSON.stringify(value))) for (const { id } of inside) this.#runs.set(id, NEVER);
      else for (const { id } of inside) this.#runs.set(id, ALWAYS);
      this.#reader.readValue(loop, value, pathTo(place, key));
      for (const [id, runs] of saved) this.#runs.set(id, runs);
      this.#begins.set(loop.id, begins);
    }
    this.#inside = undefined;
  }

  #readOutput(order: readonly Node[], output: Json): void {
    this.#finished = this.#ended(order.filter(({ parentId }) => parentId === undefined));
    this.#reader.readValue(undefined, output, 'output');
  }

  /** When all nodes of a scope have ended, none by a failure or a stop node. */
  #ended(scope: readonly Node[]): Formula {
    const { formulas } = this;
    const passed = scope.map(({ id }) => this.#passes.get(id) ?? ALWAYS);
    const stopped = scope
      .filter(({ type }) => type === 'stop')
      .map(({ id }) => formulas.not(this.#runs.get(id) ?? NEVER));
    return formulas.and(...passed, ...stopped);
  }
}

/** Inputs of `repeat` that are evaluated around its iterations. */
const AROUND_ITERATIONS = ['while', 'until'] as const;

function isAround(key: string): boolean {
  return (AROUND_ITERATIONS as readonly string[]).includes(key);
}

function isEmptyLoop({ type, inputs = {} }: Node): boolean {
  const { items, times } = inputs;
  return type === 'forEach' ? Array.isArray(items) && items.length === 0 : times === 0;
}
