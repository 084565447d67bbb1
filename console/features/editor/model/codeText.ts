import { isJsonObject } from '../../../../domain/json.ts';
import { keysOfPath } from '../../../../domain/place.ts';
import { type Definition, NODE_TYPES, TRIGGER_ID, TRIGGER_TYPES } from '../../../../domain/workflow/definition.ts';
import type { CodeMark } from '../../../ui/code/CodeArea.tsx';
import { writtenDefinition } from './draft.ts';
import type { PlacedProblem } from './placedProblems.ts';

export type CodeFormat = 'yaml' | 'json';

type ReadCode = { definition: Definition } | { problem: string; from?: number };

export const loadYaml = () => import('yaml');
type Yaml = Awaited<ReturnType<typeof loadYaml>>;

/** Writes the definition with the same members in the same order as `perdure export`. */
export function codeOf(yaml: Yaml, definition: Definition, format: CodeFormat): string {
  const written = writtenDefinition(definition);
  return format === 'json'
    ? `${JSON.stringify(written, null, 2)}\n`
    : yaml.stringify(written, { lineWidth: 120, aliasDuplicateObjects: false });
}

/** Parses YAML, and thus JSON; returns a problem if the result cannot be drawn. */
export function readCode(yaml: Yaml, text: string): ReadCode {
  const document = yaml.parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  const [first] = document.errors;
  if (first !== undefined) return { problem: first.message.split('\n')[0] ?? first.message, from: first.pos[0] };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return { problem: (error as Error).message };
  }
  const problem = undrawable(value);
  return problem === undefined ? { definition: value as Definition } : { problem };
}

/** Returns why a value cannot be drawn as a graph. Everything else is left to the validator. */
function undrawable(value: unknown): string | undefined {
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

/**
 * Marks problems at their values, or at the closest written parent. Problems outside the text (name, slug) get no mark.
 */
export function marksOf(yaml: Yaml, text: string, problems: readonly PlacedProblem[]): CodeMark[] {
  if (problems.length === 0) return [];
  const document = yaml.parseDocument(text);
  return problems.flatMap(({ path, message }) => {
    const range = rangeOf(yaml, document.contents, keysOfPath(path));
    return range === undefined ? [] : [{ ...range, path, message }];
  });
}

const IN_CODE = /^(trigger|nodes|edges|output|labels|notes)\b/;

export const isInCode = (path: string): boolean => IN_CODE.test(path);

function rangeOf(
  yaml: Yaml,
  root: unknown,
  keys: readonly (string | number)[],
): { from: number; to: number } | undefined {
  let node = root;
  /** The last key or item found on the path. */
  let named: unknown;
  for (const key of keys) {
    if (yaml.isMap(node)) {
      const pair = node.items.find((item) => yaml.isScalar(item.key) && String(item.key.value) === String(key));
      if (pair === undefined) return textOf(yaml, named);
      named = pair.key;
      node = pair.value;
    } else if (yaml.isSeq(node) && typeof key === 'number' && key < node.items.length) {
      node = node.items[key];
      named = node;
    } else return textOf(yaml, named);
  }
  // A map or list is long, so its key is marked.
  return keys.length === 0 ? undefined : textOf(yaml, yaml.isScalar(node) ? node : named);
}

function textOf(yaml: Yaml, node: unknown): { from: number; to: number } | undefined {
  if (yaml.isMap(node)) return textOf(yaml, node.items[0]?.key) ?? rangeIn(node);
  return rangeIn(node);
}

function rangeIn(node: unknown): { from: number; to: number } | undefined {
  const range = (node as { range?: [number, number, number] | null } | undefined)?.range;
  return range == null ? undefined : { from: range[0], to: range[1] };
}
