import { isGrpcServiceError } from '@temporalio/client';
import type { TemporalParts } from './connectTemporal.ts';

// Builds of workers, which Temporal calls versions of a worker deployment: new tasks of workflows go to the current one.

export interface WorkerBuild {
  buildId: string;
  isCurrent: boolean;
  /** No workflow counts as its own any more; null if the server has not looked yet, which it does every few minutes. */
  isDrained: boolean | null;
  createdAt: string | null;
}

const NOT_FOUND = 5;
/** temporal.api.enums.v1.VersionDrainageStatus */
const DRAINING = 1;
const DRAINED = 2;

/** The builds that the server knows of a deployment; none if no worker of it has ever polled. */
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
 * New tasks of all workflows go to the workers of this build from now on; without a build to those that name none. Throws if
 * it polls no task queue, or lacks one that the current build polls: the server refuses.
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
