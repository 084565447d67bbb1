import type { AppManifest } from '../../../domain/app/manifest.ts';
import { isPolling, type Poller } from '../../../engine/customerWorkers.ts';
import { EngineAway } from '../../../engine/engineAway.ts';
import type { Services } from '../../services.ts';

export interface AppWorkers {
  pollers: number;
  lastSeenAt: string | null;
  buildIds: string[];
}

/** Returns the workers that poll the app's queue; undefined for other apps, and while the engine does not answer. */
export async function workersOfApp({ engine }: Services, { custom }: AppManifest): Promise<AppWorkers | undefined> {
  if (custom?.runs.on !== 'worker') return undefined;
  const { taskQueue } = custom.runs;
  try {
    const { customerWorkers } = engine;
    const ofKinds = await Promise.all([
      customerWorkers.pollersOf(taskQueue, 'activity'),
      customerWorkers.pollersOf(taskQueue, 'workflow'),
    ]);
    return shown(ofKinds.flat());
  } catch (error) {
    if (error instanceof EngineAway) return undefined;
    throw error;
  }
}

/** A worker polls for activities and for workflows under one identity. */
function shown(seen: readonly Poller[]): AppWorkers {
  const polling = seen.filter(isPolling);
  const lastSeen = seen.reduce((last, { lastSeenAt }) => Math.max(last, lastSeenAt.getTime()), 0);
  return {
    pollers: new Set(polling.map(({ identity }) => identity)).size,
    lastSeenAt: lastSeen === 0 ? null : new Date(lastSeen).toISOString(),
    buildIds: [...new Set(polling.flatMap(({ buildId }) => buildId ?? []))].sort(),
  };
}
