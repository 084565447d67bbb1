import type { CodeMark } from '../../../ui/code/codeMarks.ts';
import type { loadYaml } from '../model/codeText.ts';
import { keysOfPath, type PlacedProblem } from '../model/problemPlace.ts';

type Yaml = Awaited<ReturnType<typeof loadYaml>>;

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

const IN_CODE = /^(trigger|nodes|edges|output|labels)\b/;

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
