import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  stringify,
  type YAMLMap,
  YAMLSeq,
} from 'yaml';
import { YAML_STYLE } from '../domain/bundle/folders.ts';
import { isEqualJson } from '../domain/isEqualJson.ts';
import type { Json } from '../domain/json.ts';
import type { FileEdit, YamlPath } from './fileEdits.ts';

interface Splice {
  start: number;
  end: number;
  text: string;
}

/** If an edit cannot change only its own part, `yaml` rewrites the document and keeps comments, order and quotes. */
export function editedYaml(text: string, edits: readonly FileEdit[]): string {
  const document = editedDocument(text, edits);
  const value: unknown = document.toJS();
  const isPadded = /[[{] /.test(text) || !/[[{]\S/.test(text);
  const texts = [
    () => splicedText(text, edits),
    () => document.toString({ lineWidth: 0, flowCollectionPadding: isPadded }),
  ];
  for (const written of texts) {
    const result = written();
    if (result !== undefined && saysSame(result, value)) return result;
  }
  return stringify(value, YAML_STYLE);
}

function saysSame(text: string, value: unknown): boolean {
  const document = parseDocument(text);
  return document.errors.length === 0 && isEqualJson(document.toJS(), value);
}

function editedDocument(text: string, edits: readonly FileEdit[]): Document {
  const document = parseDocument(text);
  for (const edit of edits) {
    if ('order' in edit) arrange(document, edit);
    else if (edit.value === undefined) document.deleteIn(edit.path);
    else setValue(document, edit.path, edit.value);
  }
  return document;
}

function setValue(document: Document, path: YamlPath, value: Json): void {
  const present = path.length === 0 ? document.contents : document.getIn(path, true);
  const fresh = document.createNode(value) as Node;
  if (isScalar(present) && isScalar(fresh)) {
    if (typeof value === 'string' && typeof present.value === 'string' && present.type) fresh.type = present.type;
    fresh.comment = present.comment;
    fresh.commentBefore = present.commentBefore;
    fresh.spaceBefore = present.spaceBefore as boolean;
  }
  if (path.length === 0) document.contents = fresh as typeof document.contents;
  else document.setIn(path, fresh);
}

function arrange(document: Document, { path, order }: Extract<FileEdit, { order: unknown }>): void {
  const list = document.getIn(path, true);
  if (!(list instanceof YAMLSeq)) throw new Error('expected a list in the file');
  const before = list.items;
  list.items = order.map((each) => ('kept' in each ? before[each.kept] : document.createNode(each.value)));
}

function splicedText(text: string, edits: readonly FileEdit[]): string | undefined {
  const document = parseDocument(text);
  const splices: Splice[] = [];
  for (const edit of edits) {
    if ('order' in edit || edit.path.length === 0) return undefined;
    const splice =
      edit.value === undefined ? removed(text, document, edit.path) : set(text, document, edit.path, edit.value);
    if (splice === undefined) return undefined;
    splices.push(splice);
  }
  // At equal positions keep this order: members of an inner map before those of the outer one.
  return splices
    .map((splice, index) => ({ ...splice, index }))
    .sort((a, b) => b.start - a.start || b.index - a.index)
    .reduce((all, { start, end, text: part }) => all.slice(0, start) + part + all.slice(end), text);
}

function set(text: string, document: Document, path: YamlPath, value: Json): Splice | undefined {
  const present = document.getIn(path, true);
  if (present === undefined) return added(text, document, path, value);
  if (isScalar(present) && present.range && !isBlock(present)) {
    const inline = scalarText(value, present, isInFlow(document, path));
    if (inline !== undefined) return { start: present.range[0], end: present.range[1], text: inline };
  }
  const lines = linesOf(text, document, path);
  if (lines === undefined) return undefined;
  return { ...lines, text: memberText(path.at(-1) as string, value, lines.column) };
}

/** Returns a scalar on one line; undefined if it needs more lines. */
function scalarText(value: Json, { value: before, type }: Scalar, isFlow: boolean): string | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  const scalar = new Scalar(value);
  if (typeof value === 'string' && typeof before === 'string' && type) scalar.type = type;
  const written = stringify(scalar, { lineWidth: 0 }).trimEnd();
  if (written.includes('\n')) return typeof value === 'string' && isFlow ? JSON.stringify(value) : undefined;
  return isFlow && typeof value === 'string' && /^[^"'].*[,[\]{}]/.test(written) ? JSON.stringify(value) : written;
}

function isBlock({ type }: Scalar): boolean {
  return type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;
}

function isInFlow(document: Document, path: YamlPath): boolean {
  return path.some((_, depth) => {
    const node = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
    return isCollection(node) && node.flow === true;
  });
}

function memberText(key: string, value: Json, column: number): string {
  const indent = ' '.repeat(column);
  return stringify({ [key]: value }, YAML_STYLE).replace(/^(?=.)/gm, indent);
}

/** Returns the lines of a member of a block map; undefined if it shares its first line with anything else. */
function linesOf(
  text: string,
  document: Document,
  path: YamlPath,
): (Omit<Splice, 'text'> & { column: number }) | undefined {
  const map = mapAt(document, path);
  const pair = map?.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) as
    | Pair<Scalar, Node>
    | undefined;
  if (!map || map.flow || !pair?.key.range || !pair.value?.range) return undefined;
  const start = text.lastIndexOf('\n', pair.key.range[0] - 1) + 1;
  const end = pair.value.range[2];
  if (text.slice(start, pair.key.range[0]).trim() !== '' || text[end - 1] !== '\n') return undefined;
  return { start, end, column: pair.key.range[0] - start };
}

function removed(text: string, document: Document, path: YamlPath): Splice | undefined {
  const lines = linesOf(text, document, path);
  const isLast = mapAt(document, path)?.items.length === 1;
  return lines === undefined || isLast ? undefined : { start: lines.start, end: lines.end, text: '' };
}

/** Adds a member after the last one of its map. */
function added(text: string, document: Document, path: YamlPath, value: Json): Splice | undefined {
  const map = mapAt(document, path);
  const [first] = map?.items ?? [];
  const last = map?.items.at(-1) as Pair<Scalar, Node> | undefined;
  if (!map || map.flow || !isScalar(first?.key) || !first.key.range || !last?.value?.range) return undefined;
  const column = first.key.range[0] - (text.lastIndexOf('\n', first.key.range[0] - 1) + 1);
  const at = last.value.range[2];
  const isLineEnd = at === 0 || text[at - 1] === '\n';
  return { start: at, end: at, text: `${isLineEnd ? '' : '\n'}${memberText(path.at(-1) as string, value, column)}` };
}

function mapAt(document: Document, path: YamlPath): YAMLMap | undefined {
  const map = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  return isMap(map) ? map : undefined;
}
