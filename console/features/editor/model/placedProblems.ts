import type { AppManifest } from '../../../../domain/app/manifest.ts';
import { durationWritten } from '../../../../domain/durationWords.ts';
import { keysOfPath } from '../../../../domain/place.ts';
import { isError, type ProblemDetail, type ProblemFix } from '../../../../domain/problem.ts';
import { type Definition, type Node, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { EDITOR } from '../words.ts';
import { nodeOf } from './graphChanges.ts';
import { type InputSpec, inputSpecs, labelOf, specsOfConfig } from './inputSpecs.ts';

const words = EDITOR.problems;

interface ProblemPlace {
  /** Id of the node, `trigger`, or undefined for the workflow itself. */
  node: string | undefined;
  /** The place in its form: `inputs.title`. */
  field: string;
}

export type PlacedProblem = ProblemPlace & {
  path: string;
  message: string;
  /** A required value is missing. */
  isLack: boolean;
  isWarning?: true;
  fix?: ProblemFix;
  /** The place inside the code of a step; both count from 1. */
  spot?: { line: number; column: number };
};

export function placeOf({ path, nodeId }: ProblemDetail, { nodes, edges }: Definition): ProblemPlace {
  const [root, index] = keysOfPath(path);
  if (root === 'trigger') return { node: TRIGGER_ID, field: path.replace(/^trigger\.?/, '') };
  if (root === 'nodes' && typeof index === 'number') {
    return { node: nodes[index]?.id ?? nodeId, field: path.replace(/^nodes\[\d+\]\.?/, '') };
  }
  if (root === 'edges' && typeof index === 'number') return { node: edges[index]?.source, field: '' };
  return { node: nodeId, field: path };
}

export const isWithin = (place: string, whole: string): boolean =>
  place === whole || (place.startsWith(whole) && /^[.[]/.test(place.slice(whole.length)));

/** Returns the problems that a field shows: its own, and those inside its value. */
export function problemsAt(
  problems: readonly (ProblemPlace & { message: string })[],
  field: string,
  say: (message: string) => string,
): string | undefined {
  const own = problems.filter((one) => isWithin(one.field, field));
  if (own.length === 0) return undefined;
  return own
    .map((one) =>
      one.field === field
        ? say(one.message)
        : `${one.field.slice(field.length).replace(/^\./, '')}: ${say(one.message)}`,
    )
    .join('\n');
}

const ONE_OF = /^expected exactly one of (.+), got (.+)$/;
const NEEDED = /^required\b/;
const AT_LEAST_ONE = /^expected at least one \w+$/;

function isLack(message: string): boolean {
  const [, , got] = ONE_OF.exec(message) ?? [];
  if (got !== undefined) return got === 'none';
  return OWN_LACKS.includes(message) || [NEEDED, AT_LEAST_ONE].some((rule) => rule.test(message));
}

const OWN_LACKS = [EDITOR.settings.needed, EDITOR.resource.none];

/** Rewords a problem for a form, whose fields have labels instead of keys. */
export function formWords(message: string, specs: readonly InputSpec[] = []): string {
  if (NEEDED.test(message)) return EDITOR.settings.needed;
  if (AT_LEAST_ONE.test(message)) return words.atLeastOne;
  const [, keys, got] = ONE_OF.exec(message) ?? [];
  if (keys === undefined) return message;
  const fields = keys.split(', ').map((key) => specs.find((spec) => spec.key === key)?.label ?? key);
  // The form has one field for both id and slug.
  if (specs.some(({ orSlug }) => orSlug !== undefined)) return EDITOR.resource.none;
  return got === 'none' ? words.oneOf(fields.join(', ')) : words.onlyOneOf(fields.join(', '));
}

export function problemInForm(
  { node: id, field, message }: PlacedProblem,
  definition: Definition,
  apps: readonly AppManifest[],
): { place: string; message: string } {
  const node = nodeOf(definition, id);
  const specs = node === undefined ? [] : (inputSpecs(node, apps) ?? []);
  const place = node === undefined ? (id === TRIGGER_ID ? EDITOR.graph.trigger : words.workflow) : labelOf(node);
  const name = fieldName(field, id === TRIGGER_ID ? triggerSpecs(definition, apps) : specs, node);
  return { place: name === '' ? place : `${place}: ${name}`, message: formWords(message, specs) };
}

/** Returns `inputs.fields[5].options` as “Form fields 6, Options”; a place without a field stays unchanged. */
function fieldName(field: string, specs: readonly InputSpec[], node: Node | undefined): string {
  const [first, ...rest] = keysOfPath(field);
  if (first === undefined || (first === 'inputs' && rest.length === 0)) return '';
  const below = first === 'inputs' || first === 'retry' || (first === 'config' && node === undefined);
  const keys = below ? rest : [first, ...rest];
  const isInput = first === 'inputs' || (first === 'config' && keys[0] === 'inputs');
  const [key, ...inner] = first === 'config' && keys[0] === 'inputs' ? keys.slice(1) : keys;
  const label = isInput ? specs.find((spec) => spec.key === key)?.label : OWN[String(key)];
  if (label === undefined) return field;
  return inner.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name} ${part + 1}` : `${name}, ${PARTS[part] ?? part}`),
    label,
  );
}

function triggerSpecs({ trigger }: Definition, apps: readonly AppManifest[]): readonly InputSpec[] {
  if (trigger.type !== 'poll' && trigger.type !== 'webhook') return [];
  const { appId, triggerId } = trigger.config;
  const found = apps.find((app) => app.appId === appId)?.triggers.find((one) => one.triggerId === triggerId);
  return found === undefined ? [] : specsOfConfig(found.inputConfig);
}

const { node: ofNode, trigger: ofTrigger, settings: ofWorkflow } = EDITOR;

const OWN: Readonly<Record<string, string>> = {
  ...{ name: ofNode.name, id: ofNode.id, connectionId: ofNode.connection, onError: ofNode.onError },
  ...{ maximumAttempts: ofNode.attempts, initialIntervalMs: ofNode.firstInterval },
  ...{ backoffCoefficient: ofNode.coefficient, maximumIntervalMs: ofNode.longestInterval },
  ...{ timeoutMs: ofNode.timeout, onReconnectTimeoutMs: ofNode.reconnect },
  ...{ fields: ofTrigger.fields, methods: ofTrigger.methods, respond: ofTrigger.respond, secret: ofTrigger.secret },
  ...{ hmac: ofTrigger.hmac, cron: ofTrigger.cron, everyMs: ofTrigger.every, timezone: ofTrigger.timezone },
  ...{ jitterMs: ofTrigger.jitter, overlap: ofTrigger.overlap, catchupWindowMs: ofTrigger.catchup },
  ...{ appId: ofTrigger.app, triggerId: ofTrigger.event, startWith: ofTrigger.startWith },
  ...{ queueId: ofTrigger.queue, batchSize: ofTrigger.batch },
  ...{ slug: ofWorkflow.slug, projectId: ofWorkflow.project, output: ofWorkflow.output, labels: ofWorkflow.labels },
  ...{ maxConcurrent: ofWorkflow.maxConcurrent, onFailureWorkflowId: ofWorkflow.onFailure },
};

const PARTS: Readonly<Record<string, string>> = {
  ...{ key: EDITOR.form.key, label: EDITOR.form.label, type: EDITOR.form.type, required: EDITOR.form.required },
  ...{ default: EDITOR.form.preset, options: EDITOR.form.options, help: EDITOR.form.help },
  ...{ name: EDITOR.cases.name, equals: EDITOR.cases.equals, when: EDITOR.cases.when },
};

const BOUNDS = /(?:a whole number of milliseconds|whole seconds as milliseconds,) from (\d+) to (\d+)/;
const CRON = /^expected minute hour .*?; (.)/;
const GOT = /, got (-?\d+)$/;

/** Rewrites milliseconds in a problem as durations, which the fields take (`5 min`). Other problems stay unchanged. */
export function durationProblem(message: string): string {
  // The help of the field has the notation.
  if (CRON.test(message)) return message.replace(CRON, (_, first: string) => first.toUpperCase());
  if (!BOUNDS.test(message)) return message.replace(/, in milliseconds$/, '');
  return message
    .replace(BOUNDS, (_, least: string, most: string) =>
      EDITOR.input.durationBounds(durationWritten(Number(least)), durationWritten(Number(most))),
    )
    .replace(GOT, (_, got: string) => `, got ${durationWritten(Number(got))}`)
    .replace(/, got a number$/, '');
}

/** Removes duplicate problems and assigns each to its form. */
export function placed(problems: readonly ProblemDetail[], definition: Definition): PlacedProblem[] {
  const seen = new Set<string>();
  return problems.flatMap((problem) => {
    const key = `${problem.path}\n${problem.message}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const { path, message, fix, line, column } = problem;
    const place = placeOf(problem, definition);
    const more = {
      ...(isError(problem) ? {} : { isWarning: true as const }),
      ...(fix === undefined ? {} : { fix }),
      ...(line === undefined || column === undefined ? {} : { spot: { line, column } }),
    };
    return [{ ...place, path, message: durationProblem(message), isLack: isLack(message), ...more }];
  });
}
