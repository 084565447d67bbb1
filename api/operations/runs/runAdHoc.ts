import { needsOfDefinition } from '../../../domain/access/stepPermissions.ts';
import { type ConnectionChoice, chooseConnection, connectionRequired } from '../../../domain/app/chooseConnection.ts';
import { findAction } from '../../../domain/app/manifest.ts';
import { isTerminal } from '../../../domain/execution/status.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { isJsonObject, type Json } from '../../../domain/json.ts';
import { pathTo } from '../../../domain/place.ts';
import { isError, Problem, type ProblemDetail } from '../../../domain/problem.ts';
import type { Definition, Node } from '../../../domain/workflow/definition.ts';
import { inSteps, linearDefinition, stepPlace } from '../../../domain/workflow/linear.ts';
import { definitionLimits, validateDefinition } from '../../../domain/workflow/validate.ts';
import { compileAhead } from '../../../engine/evaluation/compileAhead.ts';
import { usableConnections } from '../../../prisma/store/connection/usableConnections.ts';
import { readSnapshot } from '../../../prisma/store/execution/readSnapshot.ts';
import { readOutput } from '../../../prisma/store/execution/readStep.ts';
import { type Caller, startedByCaller } from '../../access/caller.ts';
import { requireNeeds } from '../../access/requireNeeds.ts';
import { awaitChange } from '../../executions/awaitChange.ts';
import { readLimitsOf } from '../../executions/readLimitsOf.ts';
import { withIcons } from '../../executions/withIcons.ts';
import { Answer } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { requireConnections } from '../workflows/requireConnections.ts';

/** The shape that openapi.yaml checks; validateDefinition checks the rest. */
export interface AdHocStep {
  id?: string;
  appId: string;
  actionId: string;
  inputs?: JsonObject;
  connectionId?: string;
}

export interface AdHocRun {
  services: Services;
  caller: Caller;
  name: string;
  steps: AdHocStep[];
  /** Maps a place for the answer: `steps[0].inputs.url` of runs is `inputs.url` of a single action. */
  placeOf: (path: string) => string;
  /** Whether the workspace's default connection is used if several match. */
  defaultCounts: boolean;
  requestId: string;
  resourceId: string;
  signal: AbortSignal;
}

/** Runs steps without a stored workflow as one execution of source SDK. Answers at its end, or after a time limit. */
export async function runAdHoc(run: AdHocRun): Promise<Answer> {
  const { services, caller, resourceId: executionId } = run;
  const { workspaceId } = caller;
  const definition = await definitionOf(run);
  const awaited = awaitChange(
    services.feed,
    executionId,
    ({ status }) => isTerminal(status),
    services.config.SYNC_RUN_TIMEOUT_MS,
    run.signal,
    'notice',
  );
  let started: boolean;
  try {
    started = await services.starter.startAdHoc(workspaceId, run.name, definition, {
      executionId,
      requestId: run.requestId,
      startedBy: startedByCaller(run.caller),
    });
    if (started) await awaited.change;
  } finally {
    awaited.release();
  }
  return answerOf(services, workspaceId, executionId, started);
}

async function definitionOf(run: AdHocRun): Promise<Definition> {
  const { services, caller } = run;
  const { catalogue } = services;
  const placeOf = (path: string) => run.placeOf(stepPlace(path));
  const linear = linearDefinition(run.steps);
  if (!linear.candidate) throw notRunnable(run, linear.problems);
  await compileAhead(linear.candidate);
  const limits = definitionLimits(services.config);
  const { definition, problems } = validateDefinition(linear.candidate, { catalogue, limits });
  if (!definition) throw notRunnable(run, inSteps(problems));
  requireNeeds(caller, needsOfDefinition(definition, catalogue), placeOf);
  await requireConnections(services, caller, definition, placeOf);
  return { ...definition, nodes: await withConnections(run, definition.nodes) };
}

function notRunnable(run: AdHocRun, problems: ProblemDetail[]): Problem {
  const errors = problems.filter(isError).map((each) => ({ ...each, path: run.placeOf(each.path) }));
  return new Problem('VALIDATION_FAILED', 'The steps are not valid', { errors });
}

async function withConnections(run: AdHocRun, nodes: readonly Node[]): Promise<Node[]> {
  const { services, caller } = run;
  const open: ConnectionChoice[] = [];
  const steps = await Promise.all(
    nodes.map(async (node, index): Promise<Node> => {
      const { id: step, appId = '', actionId = '', connectionId } = node;
      if (connectionId !== undefined || !findAction(services.catalogue, appId, actionId)?.requiresConnection)
        return node;
      const candidates = await usableConnections(services.database, caller.workspaceId, appId, { viewer: caller });
      const chosen = chooseConnection(candidates, run);
      if (chosen) return { ...node, connectionId: chosen.id };
      const appName = services.catalogue.get(appId)?.name ?? appId;
      const path = run.placeOf(pathTo(pathTo('steps', index), 'connectionId'));
      open.push({ path, step, appId, appName, candidates });
      return node;
    }),
  );
  if (open.length > 0) throw connectionRequired(open);
  return steps;
}

async function answerOf(
  services: Services,
  workspaceId: string,
  executionId: string,
  started: boolean,
): Promise<Answer> {
  const { database, config } = services;
  const snapshot = await readSnapshot(database, workspaceId, executionId, readLimitsOf(config));
  if (!snapshot) throw new Error(`Execution ${executionId} has no row`);
  const { status } = snapshot;
  if (!started && !isTerminal(status)) return new Answer({ executionId, status }, { status: 202 });
  // The answer contains the whole output, whatever its size.
  const output =
    snapshot.outputLink === undefined ? snapshot.output : await readOutput(database, workspaceId, executionId);
  const executionPath = withIcons(services.catalogue, snapshot.executionPath);
  const error = status === 'COMPLETED' ? undefined : lastError(snapshot.executionPath);
  return new Answer({
    executionId,
    status,
    output,
    ...(error === undefined ? {} : { error }),
    executionPath,
    ...(snapshot.stepsLeftOut === undefined ? {} : { stepsLeftOut: snapshot.stepsLeftOut }),
  });
}

function lastError(executionPath: Json): JsonObject | undefined {
  if (!Array.isArray(executionPath)) return undefined;
  const failed = executionPath.filter(isJsonObject).findLast((step) => isJsonObject(step.error));
  return failed?.error as JsonObject | undefined;
}
