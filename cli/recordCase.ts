import type { Perdure } from '#client';
import { computes } from '../cases/computes.ts';
import { durationText } from '../domain/duration.ts';
import { isUuid } from '../domain/isUuid.ts';
import { Ended, EXIT, hasEnded } from './exitCode.ts';
import type { Place } from './place.ts';
import { rowsOf } from './rowsOf.ts';

type Step = Awaited<ReturnType<Perdure['listExecutionSteps']>>[number];
type Version = Awaited<ReturnType<Perdure['getWorkflowVersion']>>;
type Node = NonNullable<Version['nodes']>[number];

const SHOWN = 'executionNumber,workflow,workflowVersion,status,output,input,startedAt,stoppedAt';
const MOST_STEPS = 100_000;

/**
 * A file with one case that repeats an execution, as YAML: what its actions answered is mocked, what people answered are events
 * after the same time. Secrets are masked, as the API shows them. Ends with 4 where it has not come to an end.
 */
export async function recordCase({ client }: Place, executionId: string): Promise<string> {
  const path = { executionId };
  const execution = await client.getExecution({ path, query: { expansion: SHOWN } });
  const { executionNumber, workflow, workflowVersion, status = '', startedAt } = execution;
  if (!workflow || workflowVersion == null)
    throw new Ended(EXIT.blocked, 'A case is of a workflow; this was an ad-hoc run');
  if (!hasEnded(status) && status !== 'NEEDS_INPUT')
    throw new Ended(EXIT.blocked, `The execution goes on: it is ${status}`);
  const [{ slug }, version, input, output] = await Promise.all([
    client.getWorkflow({ path: { workflowId: workflow.id }, query: { expansion: 'slug' } }),
    client.getWorkflowVersion({ path: { workflowId: workflow.id, version: String(workflowVersion) } }),
    client.getExecutionInput({ path }),
    status === 'COMPLETED' ? client.getExecutionOutput({ path }) : undefined,
  ]);
  const steps = await wholeSteps(
    client,
    executionId,
    await rowsOf(client.paginate('listExecutionSteps', { path }), MOST_STEPS),
  );
  const nodes = new Map((version.nodes ?? []).map((node) => [node.id, node]));
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
  const { stringify } = await import('yaml');
  return stringify(withShortMasks(file), { lineWidth: 120, aliasDuplicateObjects: false });
}

/** Inputs and outputs that are too large for a list are read one by one. */
async function wholeSteps(client: Perdure, executionId: string, steps: Step[]): Promise<Step[]> {
  const whole: Step[] = [];
  for (const step of steps) {
    const path = { executionId, stepId: step.id };
    const input = step.inputLink === undefined ? step.input : await client.getExecutionStepInput({ path });
    const output = step.outputLink === undefined ? step.output : await client.getExecutionStepOutput({ path });
    whole.push({ ...step, input, output });
  }
  return whole;
}

function mocksOf(steps: Step[], nodes: ReadonlyMap<string, Node>): Record<string, unknown> {
  const mocked = steps.filter(
    (step) => isMocked(step, nodes) && (step.status === 'COMPLETED' || step.status === 'FAILED'),
  );
  return Object.fromEntries(mocked.map((step) => [placeOf(step), mockOf(step, nodes.get(step.nodeId))]));
}

function isMocked({ nodeId, appId }: Step, nodes: ReadonlyMap<string, Node>): boolean {
  const node = nodes.get(nodeId);
  return node?.type === 'runWorkflow' || (node?.type === 'action' && !computes(appId));
}

/** `pay[2]` in a loop. */
function placeOf({ nodeId, iteration }: Step): string {
  return `${nodeId}${iteration.map(({ index }) => `[${index}]`).join('')}`;
}

function mockOf({ attempts, status, output, error, attempt }: Step, node: Node | undefined): unknown {
  const most = (node && 'retry' in node ? node.retry?.maximumAttempts : undefined) ?? 1;
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
  /** Of a question to several persons. */
  submissions?: { values: object; at: string }[];
}

/** Answers, each after the time that it took; of a question to several persons each of theirs. */
function answersOf(steps: Step[], nodes: ReadonlyMap<string, Node>): unknown[] {
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

function cancelOf({
  status,
  startedAt,
  stoppedAt,
}: {
  status?: string;
  startedAt?: string;
  stoppedAt?: string | null;
}): unknown[] {
  if (status !== 'CANCELLED') return [];
  return [{ after: durationBetween(startedAt, stoppedAt), cancel: true }];
}

function callsOf(steps: Step[], nodes: ReadonlyMap<string, Node>): Record<string, unknown[]> {
  const calls: Record<string, unknown[]> = {};
  for (const step of inOrder(steps)) {
    if (!isMocked(step, nodes) || step.input === null) continue;
    calls[step.nodeId] = [...(calls[step.nodeId] ?? []), withoutMasks(inputOf(step, nodes))];
  }
  return calls;
}

/** Without what is another one where the case runs: ids that the definition names, and of a run workflow its execution. */
function inputOf({ nodeId, input }: Step, nodes: ReadonlyMap<string, Node>): unknown {
  const node = nodes.get(nodeId);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const named = (node && 'inputs' in node ? node.inputs : {}) as Record<string, unknown>;
  const isNamed = ([key, value]: [string, unknown]) =>
    typeof value === 'string' && isUuid(value) && !String(named[key]).includes('{{');
  return Object.fromEntries(Object.entries(input).filter((member) => !isNamed(member)));
}

function inOrder(steps: Step[]): Step[] {
  return [...steps].sort((a, b) => (a.startedAt ?? '').localeCompare(b.startedAt ?? ''));
}

const MASK = /^\*{3,}$/;

/** A test has no secret to compare. */
function withoutMasks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMasks);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, each]) => !(typeof each === 'string' && each.includes('***')));
  return Object.fromEntries(members.map(([key, each]) => [key, withoutMasks(each)]));
}

/** Every mask is written alike. */
function withShortMasks(value: unknown): unknown {
  if (typeof value === 'string') return MASK.test(value) ? '***' : value;
  if (Array.isArray(value)) return value.map(withShortMasks);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withShortMasks(each)]));
}

/** To the second, since nobody is more exact. */
function durationBetween(from: string | null | undefined, to: string | null | undefined): string {
  return durationText(Date.parse(to ?? '') - Date.parse(from ?? ''));
}

function member<K extends string>(name: K, value: object): Record<string, unknown> {
  return Object.keys(value).length === 0 ? {} : { [name]: value };
}
