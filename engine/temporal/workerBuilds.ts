import { isGrpcServiceError } from '@temporalio/client';
import type { TemporalParts } from './connectTemporal.ts';

// Builds of workers: Temporal calls them versions of a worker deployment. New workflow tasks go to the current one.

export interface WorkerBuild {
  buildId: string;
  isCurrent: boolean;
  /** No workflow is pinned to it; null if the server has not checked yet, which it does every few minutes. */
  isDrained: boolean | null;
  createdAt: string | null;
}

const NOT_FOUND = 5;
/** temporal.api.enums.v1.VersionDrainageStatus */
const DRAINING = 1;
const DRAINED = 2;

/** Returns the builds of a deployment; none if no worker of it has ever polled. */
export async function workerBuilds(
  { client, namespace }: TemporalParts,
  deploymentName: string,
): Promise<WorkerBuild[]> {
  try {
    const { workerDeploymentInfo: info } = await client.workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    });
    const current = info?.routingConfig?.currentDeploymentVersion?.buildId;
    return (info?.versionSummaries ?? []).map(({ deploymentVersion, drainageInfo, createTime }) => ({
      buildId: deploymentVersion?.buildId ?? '',
      isCurrent: deploymentVersion?.buildId === current,
      isDrained: drainedOf(drainageInfo?.status ?? 0),
      createdAt: createTime ? new Date(Number(createTime.seconds) * 1_000).toISOString() : null,
    }));
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === NOT_FOUND) return [];
    throw error;
  }
}

function drainedOf(status: number): boolean | null {
  if (status === DRAINED) return true;
  return status === DRAINING ? false : null;
}

/**
 * Routes new tasks of all workflows to this build; without a build, to workers without one. The server refuses a build
 * that polls no task queue, or lacks one that the current build polls.
 */
export async function makeBuildCurrent(
  { client, namespace }: TemporalParts,
  deploymentName: string,
  buildId: string | undefined,
): Promise<void> {
  await client.workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    deploymentName,
    buildId: buildId ?? '',
    identity: 'perdure admin',
  });
}
