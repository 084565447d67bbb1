import { kindOfJson } from '../fieldType.ts';
import { isJsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
import { type Edge, TRIGGER_ID } from './definition.ts';
import { EDGE_EDITOR_MEMBERS } from './editorMembers.ts';
import { findCycle } from './graph.ts';
import { handlesOf } from './handles.ts';
import { memberIfPresent, type PlacedNode } from './nodeShape.ts';
import type { Problems } from './problems.ts';
import { Shape } from './shape.ts';

const ID_LENGTH = 300;
const HANDLE_LENGTH = 100;

/** The names that edges may use. `declared` also contains ids of nodes with problems. */
export interface EdgeContext {
  nodes: readonly PlacedNode[];
  declared: ReadonlySet<string>;
}

export function readEdges(list: readonly unknown[], context: EdgeContext, problems: Problems): Edge[] {
  const byId = new Map(context.nodes.map((placed) => [placed.node.id, placed]));
  const ids = new Map<string, string>();
  const links = new Map<string, string>();
  const places: string[] = [];
  const edges = list.flatMap((candidate, index) => {
    const path = pathTo('edges', index);
    if (!isJsonObject(candidate)) {
      problems.add(path, `expected an edge, got ${kindOfJson(candidate)}`);
      return [];
    }
    const edge = readEdge(new Shape(candidate, path, problems), context, byId);
    if (edge === undefined) return [];
    const link = JSON.stringify([edge.source, edge.sourceHandle ?? null, edge.target]);
    const twin = links.get(link);
    if (twin !== undefined) problems.add(path, `the same edge is already listed at ${twin}`);
    links.set(link, path);
    const namesake = ids.get(edge.id);
    if (namesake !== undefined && twin === undefined) {
      problems.add(pathTo(path, 'id'), `the id ${edge.id} is already used at ${namesake}`);
    }
    ids.set(edge.id, path);
    places.push(path);
    return [edge];
  });
  refuseCycle(edges, places, context, problems);
  return edges;
}

function readEdge(shape: Shape, context: EdgeContext, byId: ReadonlyMap<string, PlacedNode>): Edge | undefined {
  const given = shape.text('id', ID_LENGTH);
  const source = shape.text('source', ID_LENGTH);
  const target = shape.text('target', ID_LENGTH);
  const handle = shape.text('sourceHandle', HANDLE_LENGTH);
  if (shape.has('targetHandle')) shape.problem('targetHandle', 'a node has one entry only: leave this member out');
  shape.refuseOthers('an edge', EDGE_EDITOR_MEMBERS);
  if (!shape.has('source')) shape.problem('source', `required: expected the id of a node, or ${TRIGGER_ID}`);
  if (!shape.has('target')) shape.problem('target', 'required: expected the id of a node');
  if (target === TRIGGER_ID) shape.problem('target', 'the trigger cannot be a target');
  else if (target !== undefined && !context.declared.has(target)) shape.problem('target', `there is no node ${target}`);
  if (source !== undefined && source !== TRIGGER_ID && !context.declared.has(source)) {
    shape.problem('source', `there is no node ${source}`);
  }
  if (source === undefined || target === undefined) return undefined;
  const [from, to] = [byId.get(source)?.node, byId.get(target)?.node];
  if (source === TRIGGER_ID && handle !== undefined) shape.problem('sourceHandle', 'the trigger has no handles');
  if (from !== undefined) checkHandle(shape, handle, handlesOf(from), `${from.type} ${source}`);
  if (from !== undefined && to !== undefined && from.parentId !== to.parentId) {
    shape.problem(
      'target',
      `the edge leads from ${scopeName(from.parentId)} to ${scopeName(to.parentId)}: it may not cross scopes`,
    );
  }
  if (source === TRIGGER_ID && to?.parentId !== undefined) {
    shape.problem('target', `the edge leads from the top to ${scopeName(to.parentId)}: it may not cross scopes`);
  }
  const id = given ?? `${source}${handle === undefined ? '' : `.${handle}`}>${target}`;
  return { id, source, target, ...memberIfPresent('sourceHandle', handle) };
}

function scopeName(parentId: string | undefined): string {
  return parentId === undefined ? 'the top' : `the inside of ${parentId}`;
}

function checkHandle(shape: Shape, handle: string | undefined, allowed: (string | undefined)[], owner: string): void {
  if (allowed.includes(handle)) return;
  const names = allowed.filter((one) => one !== undefined);
  const choice = names.length === 0 ? 'none' : `one of ${names.join(', ')}`;
  if (handle === 'error') {
    shape.problem('sourceHandle', `${owner} has the handle error only when its onError is route`);
  } else if (handle !== undefined) {
    shape.problem('sourceHandle', `${owner} has no handle ${handle}, expected ${choice}`);
  } else if (names.length === 0) {
    shape.problem('source', `${owner} ends the execution, so it has no outgoing edges`);
  } else {
    shape.problem('sourceHandle', `required for ${owner}: expected ${choice}`);
  }
}

function refuseCycle(edges: Edge[], places: string[], { declared }: EdgeContext, problems: Problems): void {
  const cycle = findCycle(
    [...declared],
    edges.filter(({ source, target }) => declared.has(source) && declared.has(target)),
  );
  if (cycle === undefined) return;
  const [first, last] = [cycle[0] as string, cycle.at(-1) as string];
  const closing = edges.findIndex(({ source, target }) => source === last && target === first);
  problems.add(places[closing] ?? 'edges', `the edges run in a circle: ${[...cycle, first].join(' → ')}`);
}
