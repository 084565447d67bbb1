import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, Scalar } from 'yaml';
import { keysOfPath } from '../domain/place.ts';
import type { FileProblem } from './fileProblems.ts';

interface Source {
  text: string;
  document: Document;
  lines: LineCounter;
}

/** Adds to each problem its line and column in the file. A missing member has the place of what should contain it. */
export async function withLines(folder: string, problems: readonly FileProblem[]): Promise<FileProblem[]> {
  const sources = new Map<string, Source>();
  const located: FileProblem[] = [];
  for (const problem of problems) {
    const { file } = problem;
    const isYaml = file !== null && /\.ya?ml$/.test(file);
    const source = !isYaml ? undefined : (sources.get(file) ?? (await sourceOf(join(folder, file))));
    if (isYaml && source !== undefined) sources.set(file, source);
    located.push(source === undefined ? problem : { ...problem, ...placeOf(problem, source) });
  }
  return located;
}

async function sourceOf(path: string): Promise<Source | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = new LineCounter();
  return { text, document: parseDocument(text, { lineCounter: lines }), lines };
}

function placeOf({ path, line, column }: FileProblem, source: Source): { line?: number; column?: number } {
  const found = nodeAt(source.document.contents, keysOfPath(path));
  if (found === undefined) return {};
  const { line: first, col } = source.lines.linePos(found.start);
  if (line === undefined || !found.isWhole || !isScalar(found.node)) return { line: first, column: col };
  return isBlock(found.node)
    ? { line: first + line, column: (column ?? 1) + indentOf(source.text, found.start) }
    : { line: first, column: col };
}

interface Found {
  node: unknown;
  start: number;
  /** False if the path leads on to a member that the file lacks. */
  isWhole: boolean;
}

/** Follows the keys as far as the file has them. */
function nodeAt(root: unknown, keys: readonly (string | number)[]): Found | undefined {
  let found = foundAt(root, true);
  let node = root;
  for (const key of keys) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      next = pair?.value;
      const start = (pair?.key as Node | undefined)?.range?.[0];
      if (start !== undefined && next == null) return { node: next, start, isWhole: true };
    } else if (isSeq(node)) next = node.items[Number(key)];
    if (next == null) return found && { ...found, isWhole: false };
    found = foundAt(next, true) ?? found;
    node = next;
  }
  return found;
}

function foundAt(node: unknown, isWhole: boolean): Found | undefined {
  const start = (node as Node | null)?.range?.[0];
  return start === undefined ? undefined : { node, start, isWhole };
}

function isBlock({ type }: Scalar): boolean {
  return type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;
}

/** Returns the indentation of the first line of a block's text, which begins below the line of its `|`. */
function indentOf(text: string, start: number): number {
  const below = text.slice(text.indexOf('\n', start) + 1);
  return /^(?:[ \t]*\n)*( *)/.exec(below)?.[1]?.length ?? 0;
}
