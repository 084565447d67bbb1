import { isJsonObject } from '../../../../domain/json.ts';
import { NODE_TYPES, TRIGGER_ID, TRIGGER_TYPES } from '../../../../domain/workflow/definition.ts';

/** Returns why a value cannot be drawn as a graph. Everything else is left to the validator. */
export function undrawable(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'expected trigger, nodes and edges';
  const { trigger, nodes, edges, notes = [] } = value;
  if (!isJsonObject(trigger)) return 'trigger: expected {id, type, config}';
  if (!isJsonObject(trigger.config)) return 'trigger.config: expected an object';
  if (!(TRIGGER_TYPES as readonly unknown[]).includes(trigger.type)) {
    return `trigger.type: expected one of ${TRIGGER_TYPES.join(', ')}`;
  }
  if (!Array.isArray(nodes)) return 'nodes: expected a list';
  if (!Array.isArray(edges)) return 'edges: expected a list';
  const ids = new Set<unknown>([TRIGGER_ID]);
  for (const [index, node] of nodes.entries()) {
    const problem = undrawableNode(node, ids);
    if (problem !== undefined) return `nodes[${index}]: ${problem}`;
  }
  for (const [index, edge] of edges.entries()) {
    if (!isJsonObject(edge) || typeof edge.source !== 'string' || typeof edge.target !== 'string') {
      return `edges[${index}]: expected {source, target}`;
    }
    if (typeof edge.id !== 'string') edge.id = `${edge.source}>${edge.target}`;
    if (!ids.has(edge.source)) return `edges[${index}].source: there is no node ${edge.source}`;
    if (!ids.has(edge.target)) return `edges[${index}].target: there is no node ${edge.target}`;
  }
  return areNotes(notes) ? undefined : 'notes: expected a list of {id, text, x, y}';
}

const areNotes = (notes: unknown): boolean =>
  Array.isArray(notes) &&
  notes.every(
    (note) =>
      isJsonObject(note) && typeof note.text === 'string' && [note.x, note.y].every((at) => typeof at === 'number'),
  );

/** Returns why a value cannot be drawn as a node; otherwise adds its id to `ids`. */
export function undrawableNode(node: unknown, ids: Set<unknown>): string | undefined {
  if (!isJsonObject(node)) return 'expected a node';
  if (typeof node.id !== 'string' || node.id === '') return 'expected an id';
  if (ids.has(node.id)) return `the id ${node.id} is used twice`;
  if (!(NODE_TYPES as readonly unknown[]).includes(node.type)) return `expected a type of ${NODE_TYPES.join(', ')}`;
  if (node.inputs !== undefined && node.inputs !== null && !isJsonObject(node.inputs))
    return 'expected inputs as an object';
  ids.add(node.id);
  return undefined;
}
