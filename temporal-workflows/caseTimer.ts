import { proxyActivities, sleep } from '@temporalio/workflow';
import type { CaseActivities, CaseTimer } from '../domain/case/caseTimer.ts';

/** An event of a case of a test: it waits on the server's own time, which skips to it where nothing else is to happen. */
export async function caseTimer({ afterMs, ...event }: CaseTimer): Promise<void> {
  if (afterMs > 0) await sleep(afterMs);
  const { caseEvent } = proxyActivities<CaseActivities>({
    startToCloseTimeout: '1 minute',
    retry: { maximumAttempts: 1 },
  });
  await caseEvent(event);
}
