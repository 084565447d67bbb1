import { structuredPatch } from 'diff';
import { stringify } from 'yaml';
import { AGENT_DEFAULTS } from '../../domain/agent/definition.ts';
import { AGENT_HEAD, QUEUE_DEFAULTS, TYPE_DEFAULTS, WORKFLOW_HEAD } from '../../domain/bundle/defaults.ts';
import { YAML_STYLE } from '../../domain/bundle/folders.ts';
import { isEqualJson } from '../../domain/isEqualJson.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import { printableLines } from '../output.ts';
import type { Applied } from '../planOf.ts';
import { inReadingOrder } from '../readingOrder.ts';

export type Entry = Applied['plan'][number];

/** A change that fits on one line, or a place with the lines of a diff: `+`, `-`, ` ` or `@@` begins each. */
export type ChangeLine = { path: string; line: string } | { path: string; diff: string[] };

const MAX_VALUE_LENGTH = 80;
const CONTEXT = 3;
/** A diff that needs more edits takes too long, and nobody would read it. */
const MAX_EDITS = 1_000;

/** Returns the changes of a resource in reading order; of a new one, the members that have no default. */
export function changeLines({ kind, action, changes = [] }: Entry): ChangeLine[] {
  const isNew = action === 'create';
  const byPath = Object.fromEntries(changes.map((change) => [change.path, change as unknown as Json]));
  const all = Object.values(inReadingOrder('', byPath)) as unknown as { path: string; from: Json; to: Json }[];
  return all
    .filter(({ path, to }) => path !== 'slug' && !(isNew && isDefault(kind, path, to)))
    .map(({ path, from = null, to = null }) => {
      if (isShort(from) && isShort(to)) {
        const line = isNew ? JSON.stringify(to) : `${JSON.stringify(from)} → ${JSON.stringify(to)}`;
        return { path, line: shownLine(line) };
      }
      return { path, diff: diffOf(textOf(kind, from), textOf(kind, to)) };
    });
}

const DEFAULTS: Record<string, JsonObject> = {
  workflow: WORKFLOW_HEAD,
  agent: { ...AGENT_HEAD, ...(AGENT_DEFAULTS as unknown as JsonObject) },
  queue: QUEUE_DEFAULTS,
  objectType: TYPE_DEFAULTS,
};

function isDefault(kind: string, path: string, value: Json): boolean {
  const byDefault = DEFAULTS[kind]?.[path];
  return value === null || (byDefault !== undefined && isEqualJson(byDefault, value));
}

function isShort(value: Json): boolean {
  if (typeof value === 'string') return value.length <= MAX_VALUE_LENGTH && !value.includes('\n');
  return typeof value !== 'object' || value === null;
}

/** A text is itself, and any other value YAML. */
function textOf(kind: string, value: Json): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  return stringify((inReadingOrder(kind, { value }) as JsonObject).value, YAML_STYLE);
}

function diffOf(from: string, to: string): string[] {
  const isEnded = [from, to].every((text) => text === '' || text.endsWith('\n'));
  const [before, after] = isEnded || !from || !to ? [ended(from), ended(to)] : [from, to];
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  });
  if (patch === undefined) return [...signed('-', before), ...signed('+', after)];
  const isWhole = from === '' || to === '';
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    ...(isWhole ? [] : [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`]),
    ...lines.map(shownLine),
  ]);
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function signed(sign: string, text: string): string[] {
  if (text === '') return [];
  return ended(text)
    .slice(0, -1)
    .split('\n')
    .map((line) => shownLine(`${sign}${line}`));
}

/** A carriage return is visible, since a line may differ in nothing else. */
function shownLine(line: string): string {
  return printableLines(line.replaceAll('\r', '␍')).replaceAll('\n', ' ');
}
