import { durationText } from '../duration.ts';
import { MASK } from '../execution/maskSecrets.ts';
import { isUuid } from '../isUuid.ts';
import { isJsonObject, mapTexts } from '../json.ts';
import { isComputingApp } from './computingApps.ts';

/** The source of a case in the shapes of the API, with large values read completely. */
export interface Recorded {
  slug: string | undefined;
  execution: {
    executionNumber?: number;
    status?: string;
    startedAt?: string;
    stoppedAt?: string | null;
  };
  nodes: readonly RecordedNode[];
  input: { trigger: unknown; variables?: unknown };
  output: unknown;
  steps: readonly RecordedStep[];
}

interface RecordedNode {
  id: string;
  type: string;
  inputs?: object;
  retry?: { maximumAttempts?: number };
}

interface RecordedStep {
  nodeId: string;
  appId: string | null;
  status: string;
  attempt: number;
  attempts: readonly { attempt: number; error?: Failure | null }[];
  startedAt: string | null;
  iteration: readonly { index: number }[];
  input: unknown;
  output: unknown;
  error?: Failure | null;
}

interface Failure {
  code: string;
  message: string;
}

/** Outputs of actions become mocks, and answers of people become events after the same time. Secrets stay masked. */
export function recordedCase({ slug, execution, nodes: all, input, output, steps }: Recorded): object {
  const { executionNumber, status, startedAt } = execution;
  const nodes = new Map(all.map((node) => [node.id, node]));
  const begun = steps.filter((step) => step.startedAt !== null);
  const file = {
    workflow: slug,
    cases: [
      {
        name: `as in execution #${executionNumber}`,
        input: input.trigger,
        now: startedAt,
        ...(input.variables === undefined ? {} : { variables: input.variables }),
        ...member('mocks', mocksOf(begun, nodes)),
        ...member('events', [...answersOf(begun, nodes), ...cancelOf(execution)]),
        expect: {
          status,
          path: inOrder(begun).flatMap(({ nodeId, iteration }) => (iteration.length === 0 ? [nodeId] : [])),
          ...(output === undefined ? {} : { output }),
          ...member('calls', callsOf(begun, nodes)),
        },
      },
    ],
  };
  return mapTexts(file, (text) => (/^\*{3,}$/.test(text) ? MASK : text));
}

function mocksOf(steps: readonly RecordedStep[], nodes: ReadonlyMap<string, RecordedNode>): Record<string, unknown> {
  const mocked = steps.filter(
    (step) => isMocked(step, nodes) && (step.status === 'COMPLETED' || step.status === 'FAILED'),
  );
  return Object.fromEntries(mocked.map((step) => [placeOf(step), mockOf(step, nodes.get(step.nodeId))]));
}

function isMocked({ nodeId, appId }: RecordedStep, nodes: ReadonlyMap<string, RecordedNode>): boolean {
  const node = nodes.get(nodeId);
  return node?.type === 'runWorkflow' || (node?.type === 'action' && !isComputingApp(appId));
}

function placeOf({ nodeId, iteration }: RecordedStep): string {
  return `${nodeId}${iteration.map(({ index }) => `[${index}]`).join('')}`;
}

function mockOf({ attempts, status, output, error, attempt }: RecordedStep, node: RecordedNode | undefined): unknown {
  const most = node?.retry?.maximumAttempts ?? 1;
  const failures = attempts
    .filter((each) => each.error !== undefined && each.attempt < attempt)
    .map((each) => ({ error: { ...each.error, retryable: true } }));
  const last =
    status === 'FAILED'
      ? // With attempts left it was one that no other follows.
        { error: { code: error?.code ?? '', message: error?.message ?? '', retryable: attempt >= most && most > 1 } }
      : { output };
  return failures.length === 0 ? last : [...failures, last];
}

interface Answered {
  submittedAt?: string;
  submittedBy?: unknown;
  submissions?: { values: object; at: string }[];
}

/** A question to several people has an answer for each submission. */
function answersOf(steps: readonly RecordedStep[], nodes: ReadonlyMap<string, RecordedNode>): unknown[] {
  return steps.flatMap((step) => {
    const isAnswered = nodes.get(step.nodeId)?.type === 'input' && step.status === 'COMPLETED';
    const { submissions, submittedAt, submittedBy: _, ...values } = (isAnswered ? step.output : {}) as Answered;
    if (submittedAt === undefined) return [];
    return (submissions ?? [{ values, at: submittedAt }]).map((each) => ({
      at: placeOf(step),
      after: durationBetween(step.startedAt, each.at),
      answer: each.values,
    }));
  });
}

function cancelOf({ status, startedAt, stoppedAt }: Recorded['execution']): unknown[] {
  if (status !== 'CANCELLED') return [];
  return [{ after: durationBetween(startedAt, stoppedAt), cancel: true }];
}

function callsOf(steps: readonly RecordedStep[], nodes: ReadonlyMap<string, RecordedNode>): Record<string, unknown[]> {
  const calls: Record<string, unknown[]> = {};
  for (const step of inOrder(steps)) {
    if (!isMocked(step, nodes) || step.input === null) continue;
    calls[step.nodeId] = [...(calls[step.nodeId] ?? []), withoutMasks(inputOf(step, nodes))];
  }
  return calls;
}

/** Removes parts that differ from run to run: ids in the definition, and the execution of a run workflow. */
function inputOf({ nodeId, input }: RecordedStep, nodes: ReadonlyMap<string, RecordedNode>): unknown {
  const node = nodes.get(nodeId);
  if (!isJsonObject(input)) return input;
  const named = (node?.inputs ?? {}) as Record<string, unknown>;
  const isNamed = ([key, value]: [string, unknown]) =>
    typeof value === 'string' && isUuid(value) && !String(named[key]).includes('{{');
  return Object.fromEntries(Object.entries(input).filter((member) => !isNamed(member)));
}

function inOrder(steps: readonly RecordedStep[]): readonly RecordedStep[] {
  return [...steps].sort((a, b) => (a.startedAt ?? '').localeCompare(b.startedAt ?? ''));
}

/** Tests have no secrets to compare with. */
function withoutMasks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMasks);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, each]) => !(typeof each === 'string' && each.includes(MASK)));
  return Object.fromEntries(members.map(([key, each]) => [key, withoutMasks(each)]));
}

function durationBetween(from: string | null | undefined, to: string | null | undefined): string {
  return durationText(Date.parse(to ?? '') - Date.parse(from ?? ''));
}

function member<K extends string>(name: K, value: object): Record<string, unknown> {
  return Object.keys(value).length === 0 ? {} : { [name]: value };
}
