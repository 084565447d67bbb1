import type { Config } from '../../config.ts';
import type { TemporalParts } from '../../engine/temporal/connectTemporal.ts';
import { makeBuildCurrent, type WorkerBuild, workerBuilds } from '../../engine/temporal/workerBuilds.ts';
import { AdminProblem } from './adminArguments.ts';
import type { ExamCommand } from './runAdminCommand.ts';

/** `builds list`, `builds use`: selects which workers get new tasks. Throws an AdminProblem for an unknown build. */
export async function builds(
  temporal: TemporalParts,
  command: Extract<ExamCommand, { name: 'builds list' | 'builds use' }>,
  { TEMPORAL_DEPLOYMENT_NAME: deployment }: Config,
): Promise<{ deployment: string; builds: WorkerBuild[] }> {
  if (deployment === undefined)
    throw new AdminProblem('Set TEMPORAL_DEPLOYMENT_NAME to the same value as for the workers: docs/upgrade.md');
  if (command.name === 'builds use') {
    const { build } = command.options;
    const known = await workerBuilds(temporal, deployment);
    if (build !== undefined && !known.some(({ buildId }) => buildId === build)) {
      const names = known.map(({ buildId }) => buildId).join(', ') || 'none';
      throw new AdminProblem(`No worker of the build ${build} has polled: start them first. The server knows ${names}`);
    }
    await makeBuildCurrent(temporal, deployment, build);
  }
  return { deployment, builds: await workerBuilds(temporal, deployment) };
}
