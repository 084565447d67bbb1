import { keysOfPath } from '../../../../domain/place.ts';
import type { Definition } from '../../../../domain/workflow/definition.ts';
import type { CodeMark } from '../../../ui/code/CodeArea.tsx';
import { writtenDefinition } from './draft.ts';
import { undrawable } from './drawable.ts';
import type { Yaml } from './loadYaml.ts';
import type { PlacedProblem } from './placedProblems.ts';

export type CodeFormat = 'yaml' | 'json';

type ReadCode = { definition: Definition } | { problem: string; from?: number };

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
