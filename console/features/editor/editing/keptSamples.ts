import { MASK } from '../../../../domain/execution/maskSecrets.ts';
import { isJsonObject, type Json } from '../../../../domain/json.ts';
import { type Definition, type Node, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { KEPT_MS, keysWith, STORED, type Texts } from '../../../app/storage/browserStorage.ts';
import { readRows, writeRows } from '../../../app/storage/keptRows.ts';

/** A value kept in this browser that replaces the output of a node or the data of a start. */
export interface NodeSample {
  id: string;
  value: Json;
  /** Epoch milliseconds. */
  at: number;
}

const PREFIX = STORED.samples.key;
/** Characters of JSON per sample and for all samples in this browser. Drafts and views need room, too. */
export const MAX_OF_ONE = 200_000;
export const MAX_OF_ALL = 1_000_000;

/** Why a sample is not kept. `full`: the browser has no room for it. */
export type Refusal = { of: 'one' | 'all'; length: number; most: number } | { of: 'full' };

export const samplesKey = (userId: string, workspaceId: string, workflowId: string) =>
  `${PREFIX}${userId}.${workspaceId}.${workflowId}`;

/** Reads the samples that are not older than drafts may be. */
export const readSamples = (text: string | null): NodeSample[] =>
  readRows(text, isSample).filter(({ at }) => Date.now() - at <= KEPT_MS);

/** Throws a DOMException if the browser's storage is full. */
export const writeSamples: (texts: Texts, key: string, rows: readonly NodeSample[]) => void = writeRows;

/** The samples of a workflow, for `useStoredRows`. */
export const SAMPLES = { keyOf: samplesKey, read: readSamples, write: writeSamples };

export const withSample = (rows: readonly NodeSample[], sample: NodeSample): NodeSample[] => [
  ...rows.filter(({ id }) => id !== sample.id),
  sample,
];

/** Checks the sample's size and the total in this browser, assuming that `rows` replaces the text under the key. */
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

export function dropOldSamples(texts: Texts): void {
  for (const key of keysWith(texts, PREFIX)) {
    if (readSamples(texts.getItem(key)).length === 0) texts.removeItem(key);
  }
}

/**
 * Updates samples after nodes changed. The sample of a renamed node moves to its new id. The sample of a removed node
 * moves to `gone` and returns with the same node object, as after undo. Returns the same list if nothing changed.
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

/** Finds the only node that has a new id at the same index and is otherwise of the same kind. */
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

/** Returns samples of existing nodes and the trigger, by id. Others may belong to a draft that was left. */
export function samplesOf(rows: readonly NodeSample[], nodes: readonly Node[]): Readonly<Record<string, Json>> {
  const there = new Set([TRIGGER_ID, ...nodes.map(({ id }) => id)]);
  return Object.fromEntries(rows.filter(({ id }) => there.has(id)).map(({ id, value }) => [id, value]));
}

/** Masks values of secret fields, as executions do, so that they are never written into the browser. */
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
