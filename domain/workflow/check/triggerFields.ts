import type { Json } from '../../json.ts';
import { pathTo } from '../../place.ts';
import type { Node, TriggerNode } from '../definition.ts';
import { checkExpressions, type PlacedReferences } from '../expressionProblems.ts';
import type { PlacedNode } from '../nodeShape.ts';
import type { Problems } from '../problems.ts';

/** The members of `trigger` in an error workflow (FailureReport of the contract). */
const OF_A_FAILURE = ['execution', 'trigger'];
const OF_ITS_EXECUTION = [
  ...['id', 'number', 'url', 'workflowId', 'workflowName', 'status', 'statusMessage', 'error'],
  ...['startedAt', 'stoppedAt', 'durationMs'],
];

export interface TriggerReads {
  nodes: readonly PlacedNode[];
  output: Json | undefined;
  trigger: TriggerNode;
  /** Another workflow names it as its error workflow; undefined if that is unknown. */
  isErrorWorkflow: boolean | undefined;
}

/** Reports members of `trigger` that no start can give. Keys that an expression looks for are the author's to know. */
export function checkTriggerFields(
  { nodes, output, trigger, isErrorWorkflow }: TriggerReads,
  problems: Problems,
): void {
  const known = fieldsOf(trigger, isErrorWorkflow);
  if (known === undefined) return;
  const expected = new Set([...known, ...soughtIn([...nodes.map(({ node }) => node.inputs ?? null), output ?? null])]);
  const silent = () => undefined;
  const report = (found: readonly PlacedReferences[], node?: Node) => {
    for (const { path, references } of found) {
      for (const name of unknownIn(references, expected, isErrorWorkflow)) {
        const message = `${name} does not exist: ${sentence(trigger, known)}`;
        const at = node === undefined ? {} : { nodeId: node.id };
        problems.report({ path, message, ...at, code: 'UNKNOWN_TRIGGER_FIELD', severity: 'error' });
      }
    }
  };
  for (const { node, path } of nodes) report(checkExpressions(node.inputs ?? {}, pathTo(path, 'inputs'), silent), node);
  if (output !== undefined) report(checkExpressions(output, 'output', silent));
}

/** Undefined if any member is possible: a start by hand keeps keys that no field declares. */
function fieldsOf({ type, config }: TriggerNode, isErrorWorkflow: boolean | undefined): string[] | undefined {
  const failure = isErrorWorkflow === false ? [] : OF_A_FAILURE;
  switch (type) {
    case 'manual': {
      const keys = (config.fields ?? []).map(({ key }) => key);
      return keys.length === 0 && isErrorWorkflow !== true ? undefined : [...keys, ...failure];
    }
    case 'webhook':
      return ['method', 'headers', 'query', 'body'];
    case 'schedule':
      return ['scheduledAt', 'firedAt', ...failure];
    case 'poll':
      return ['item'];
    case 'queue':
      return ['items'];
  }
}

function sentence({ type }: TriggerNode, known: readonly string[]): string {
  return `the trigger of type ${type} has ${known.map((each) => `trigger.${each}`).join(', ')}`;
}

function unknownIn(
  { paths }: PlacedReferences['references'],
  expected: ReadonlySet<string>,
  isErrorWorkflow: boolean | undefined,
): Set<string> {
  const unknown = new Set<string>();
  for (const { root, keys } of paths) {
    const [first, second] = keys;
    if (root !== 'trigger' || typeof first?.key !== 'string') continue;
    if (!expected.has(first.key)) unknown.add(`trigger.${first.key}`);
    else if (isErrorWorkflow && first.key === 'execution' && typeof second?.key === 'string') {
      if (!OF_ITS_EXECUTION.includes(second.key)) unknown.add(`trigger.execution.${second.key}`);
    }
  }
  return unknown;
}

const SOUGHT =
  /(?:has\(\s*trigger\s*\.\s*|trigger\s*\.\?\s*|trigger\[\?\s*\\?["'])([A-Za-z_]\w*)|["']([^"'\\]+)\\?["']\s+in\s+trigger\b/g;

/** Returns the keys for which some expression provides: `has(trigger.x)`, `trigger.?x`, `"x" in trigger`. */
function soughtIn(values: readonly Json[]): string[] {
  return [...JSON.stringify(values).matchAll(SOUGHT)].map(([, name, key]) => name ?? key ?? '');
}
