import type { components } from '#client';
import type { Handler } from '../commandSpec.ts';
import { EXIT, exitCodeOfStatus, hasEnded } from '../exitCode.ts';
import { findExecution, findId } from '../findByName.ts';
import { followToEnd } from '../followToEnd.ts';
import { printable } from '../output.ts';
import type { Place } from '../place.ts';
import { iterationText } from '../stepTree.ts';
import { takeRows } from '../takeRows.ts';
import { durationOf, numberOf, objectOf, pairsOf } from '../values.ts';

type Options = Parameters<Handler>[0]['options'];

const SHOWN = 'executionNumber,name,status,statusMessage,workflow,startedAt,stoppedAt';
const LIMIT = 50;

async function filterOf(here: Place, options: Options): Promise<string> {
  const workflow = options.text('workflow');
  const since = options.text('since');
  const pairs: Record<string, string | undefined> = {
    status: options.text('status')?.toUpperCase(),
    workflowId: workflow === undefined ? undefined : await findId(here, 'workflow', workflow),
    projectId: here.projectId,
    errorCode: options.text('error'),
    failedNodeId: options.text('failedNode'),
    startedAfter: since === undefined ? undefined : new Date(Date.now() - durationOf(since, '--since')).toISOString(),
    ...(options.isSet('retrying') ? { retrying: 'true' } : {}),
    waitingForWorker: options.text('waitingForWorker'),
    ...(options.isSet('waitingForApproval') ? { waitingForApproval: 'true' } : {}),
  };
  const labels = Object.entries(pairsOf(options.texts('label'), '--label')).map(([key, value]) => [
    `label.${key}`,
    value,
  ]);
  const all = [...Object.entries(pairs), ...labels].filter(([, value]) => value !== undefined);
  return all.map(([key, value]) => `${key}:${String(value).replaceAll(',', '%2C')}`).join(',');
}

export const listExecutions: Handler = async ({ options, out, place }) => {
  const here = await place();
  const limit = numberOf(options.text('limit'), '--limit') ?? LIMIT;
  const filterBy = await filterOf(here, options);
  const query = { expansion: SHOWN, limit: Math.min(limit, 1000), ...(filterBy === '' ? {} : { filterBy }) };
  const rows = await takeRows(here.client.paginate('listExecutions', { query }), limit);
  out.rows(
    rows,
    [
      ['NUMBER', ({ executionNumber }) => `#${executionNumber}`],
      ['STATUS', ({ status }) => status],
      ['WORKFLOW', ({ workflow }) => workflow?.name],
      ['NAME', ({ name }) => name],
      ['STARTED', ({ startedAt }) => startedAt],
      ['ID', ({ id }) => id],
      ['MESSAGE', ({ statusMessage }) => statusMessage],
    ],
    'No execution matches.',
  );
  return EXIT.done;
};

export const showExecution: Handler = async ({ arguments: [word], out, place }) => {
  const here = await place();
  const executionId = await findExecution(here, word as string);
  const expansion = `${SHOWN},output,executionPath,pendingInput`;
  const execution = await here.client.getExecution({ path: { executionId }, query: { expansion } });
  out.value(
    execution,
    ({ executionNumber, workflow, status, statusMessage, output, executionPath = [], pendingInput = [] }) =>
      [
        `#${executionNumber} ${printable(workflow?.name ?? '')}  ${status}${statusMessage ? `  ${printable(statusMessage)}` : ''}`,
        ...executionPath.map(stepText),
        ...pendingInput.map(
          ({ nodeId, title }) =>
            `  asks: ${printable(title ?? nodeId)} (perdure questions answer ${executionId} --node ${nodeId})`,
        ),
        `output: ${JSON.stringify(output)}`,
      ].join('\n'),
  );
  return EXIT.done;
};

type Step = Pick<components['schemas']['ExecutionStep'], 'status' | 'label' | 'iteration' | 'error'>;

function stepText({ status, label, iteration, error }: Step): string {
  const round = iterationText(iteration);
  const why = error ? `: ${printable(`${error.code} ${error.message}`)}` : '';
  return `  ${status.padEnd(11)} ${printable(label)}${round && ` ${round}`}${why}`;
}

export const watchExecution: Handler = async ({ arguments: [word], options, out, place, signal }) => {
  const here = await place();
  const until = options.isOff('answer') ? 'needsInput' : 'ended';
  return followToEnd(here.client, await findExecution(here, word as string), { out, signal, until });
};

export const logsOfExecution: Handler = async ({ arguments: [word], options, out, place }) => {
  const here = await place();
  const executionId = await findExecution(here, word as string);
  const node = options.text('node');
  const query = { limit: 1000, ...(node === undefined ? {} : { filterBy: `nodeId:${node}` }) };
  for await (const step of here.client.paginate('listExecutionSteps', { path: { executionId }, query })) {
    const whole =
      step.consoleLink === undefined
        ? step
        : await here.client.getExecutionStep({ path: { executionId, stepId: step.id } });
    for (const line of whole.console ?? []) {
      out.event(
        { stepId: step.id, nodeId: step.nodeId, ...line },
        `${step.nodeId}  ${printable(JSON.stringify(line))}`,
      );
    }
  }
  return EXIT.done;
};

export const retryExecution: Handler = async ({ arguments: [word], options, out, place, signal }) => {
  const here = await place();
  const executionId = await findExecution(here, word as string);
  const input = options.text('input');
  const fromStep = options.text('from');
  const body = {
    ...(fromStep === undefined ? {} : { fromStep }),
    ...(input === undefined ? {} : { input: await objectOf(input, '--input') }),
    ...(options.isSet('failedItems') ? { failedItems: 'again' as const } : {}),
    ...(options.isSet('again') ? { again: true } : {}),
  };
  const started = await here.client.retryExecution({ path: { executionId }, body });
  const until = options.isOff('answer') ? 'needsInput' : 'ended';
  if (options.isSet('follow')) return followToEnd(here.client, started.executionId, { out, signal, until });
  out.value(started, (each) => each.executionId);
  return EXIT.done;
};

export const cancelExecution: Handler = async ({ arguments: [word], options, out, place }) => {
  const here = await place();
  const executionId = await findExecution(here, word as string);
  const reason = options.text('reason');
  const given = { path: { executionId }, body: reason === undefined ? {} : { reason } };
  const isTerminated = options.isSet('terminate');
  const answer = isTerminated ? await here.client.terminateExecution(given) : await here.client.cancelExecution(given);
  if (options.isSet('wait')) {
    const { status } = await here.client.waitForExecution(executionId);
    out.value({ executionId, status }, () => status);
    return exitCodeOfStatus(status) === EXIT.cancelled ? EXIT.done : exitCodeOfStatus(status);
  }
  out.value(answer, ({ status }) => stopText(status, executionId, isTerminated));
  return EXIT.done;
};

function stopText(status: string, executionId: string, isTerminated: boolean): string {
  if (status === 'CANCELLED') return `${isTerminated ? 'Terminated' : 'Cancelled'} ${executionId}`;
  return hasEnded(status)
    ? `${executionId} has ended: ${status}`
    : `${isTerminated ? 'Terminating' : 'Cancelling'} ${executionId}`;
}
