import { MASK } from '../../../../domain/execution/maskSecrets.ts';
import { isJsonObject, type Json } from '../../../../domain/json.ts';
import { type Definition, type Node, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { KEPT_MS, keysWith, STORED, type Texts } from '../../../app/storage/browserStorage.ts';
import { readRows, writeRows } from '../../../app/storage/keptRows.ts';

/** What a person takes for the output of a node, or for what a start brings, in this browser. */
export interface NodeSample {
  /** Of the node, or `trigger`. */
  id: string;
  value: Json;
  /** Epoch milliseconds. */
  at: number;
}

const PREFIX = STORED.samples.key;
/** Characters of JSON: of one sample, and of all that this browser keeps. Drafts and views need room there, too. */
export const MAX_OF_ONE = 200_000;
export const MAX_OF_ALL = 1_000_000;

/** Why a sample is not kept. `full`: the browser has no room for it. */
export type Refusal = { of: 'one' | 'all'; length: number; most: number } | { of: 'full' };

/** Of one person in one workspace, and of one workflow. */
export const samplesKey = (userId: string, workspaceId: string, workflowId: string) =>
  `${PREFIX}${userId}.${workspaceId}.${workflowId}`;

/** What is kept as this text and not too old: as drafts are. */
export const readSamples = (text: string | null): NodeSample[] =>
  readRows(text, isSample).filter(({ at }) => Date.now() - at <= KEPT_MS);

/** Throws a DOMException where the storage of the browser is full. */
export const writeSamples: (texts: Texts, key: string, rows: readonly NodeSample[]) => void = writeRows;

/** These samples and this one, in the place of the one of its node. */
export const withSample = (rows: readonly NodeSample[], sample: NodeSample): NodeSample[] => [
  ...rows.filter(({ id }) => id !== sample.id),
  sample,
];

/** Whether this sample is too large, or all of the browser with these in the place of what is kept under the key. */
export function refusalOf(
  texts: Pick<Texts, 'getItem' | 'key' | 'length'>,
  key: string | undefined,
  rows: readonly NodeSample[],
  { value }: NodeSample,
): Refusal | undefined {
  const one = JSON.stringify(value).length;
  if (one > MAX_OF_ONE) return { of: 'one', length: one, most: MAX_OF_ONE };
  const others = keysWith(texts, PREFIX).filter((each) => each !== key);
  const length = others.reduce((sum, each) => sum + (texts.getItem(each)?.length ?? 0), JSON.stringify(rows).length);
  return length > MAX_OF_ALL ? { of: 'all', length, most: MAX_OF_ALL } : undefined;
}

/** Removes what nobody came back to. */
export function dropOldSamples(texts: Texts): void {
  for (const key of keysWith(texts, PREFIX)) {
    if (readSamples(texts.getItem(key)).length === 0) texts.removeItem(key);
  }
}

/**
 * The samples behind a change of the nodes: that of a node which has another id now goes with it, that of one which is gone
 * goes, and comes back with that very node, as undo brings it. `gone` takes those. The same list where nothing changed.
 */
export function followed(
  rows: readonly NodeSample[],
  before: readonly Node[],
  after: readonly Node[],
  gone: WeakMap<Node, NodeSample>,
): readonly NodeSample[] {
  const was = new Map(before.map((node) => [node.id, node]));
  const is = new Set(after.map(({ id }) => id));
  const renamed = renamedNode(before, after);
  const next = rows.flatMap((row) => {
    const node = was.get(row.id);
    if (node === undefined || is.has(row.id)) return [row];
    if (renamed?.from === row.id) return [{ ...row, id: renamed.to }];
    gone.set(node, row);
    return [];
  });
  for (const node of after) {
    const sample = was.has(node.id) ? undefined : gone.get(node);
    if (sample !== undefined && !next.some(({ id }) => id === node.id)) next.push(sample);
  }
  return next.length === rows.length && next.every((row, index) => row === rows[index]) ? rows : next;
}

/** The one node that has another id at its place of the list, and is the same but for that. */
function renamedNode(before: readonly Node[], after: readonly Node[]): { from: string; to: string } | undefined {
  if (before.length !== after.length) return undefined;
  const others = before.flatMap((node, index) => {
    const now = after[index] as Node;
    return node.id === now.id ? [] : [{ node, now }];
  });
  const [only, ...more] = others;
  if (only === undefined || more.length > 0) return undefined;
  const { node, now } = only;
  const isSame = node.type === now.type && node.appId === now.appId && node.actionId === now.actionId;
  return isSame ? { from: node.id, to: now.id } : undefined;
}

/** The samples of the trigger and of nodes that are there, by id: a draft that was left may have had others. */
export function samplesOf(rows: readonly NodeSample[], nodes: readonly Node[]): Readonly<Record<string, Json>> {
  const there = new Set([TRIGGER_ID, ...nodes.map(({ id }) => id)]);
  return Object.fromEntries(rows.filter(({ id }) => there.has(id)).map(({ id, value }) => [id, value]));
}

/** Without what stands in fields for secrets: as in executions, it is masked, and never written into the browser. */
export function withoutSecrets(value: Json, id: string, { trigger, nodes }: Definition): Json {
  const node = nodes.find((each) => each.id === id);
  const asked = node?.type === 'input' ? node.inputs?.fields : undefined;
  const fields = id === TRIGGER_ID && trigger.type === 'manual' ? trigger.config.fields : asked;
  if (!isJsonObject(value) || !Array.isArray(fields)) return value;
  const secrets = new Set(
    (fields as readonly Json[]).filter(isJsonObject).flatMap(({ key, type }) => (type === 'secret' ? [key] : [])),
  );
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, secrets.has(key) ? MASK : member]));
}

function isSample(value: unknown): value is NodeSample {
  if (typeof value !== 'object' || value === null) return false;
  const { id, at } = value as Partial<NodeSample>;
  return typeof id === 'string' && typeof at === 'number' && 'value' in value;
}
