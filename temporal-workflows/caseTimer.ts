import { proxyActivities, sleep } from '@temporalio/workflow';
import type { CaseActivities, CaseTimer } from '../domain/case/caseTimer.ts';

/** Triggers an event of a test case at its time. The server's clock skips ahead when nothing else is due. */
export async function caseTimer({ afterMs, ...event }: CaseTimer): Promise<void> {
  if (afterMs > 0) await sleep(afterMs);
  const { caseEvent } = proxyActivities<CaseActivities>({
    startToCloseTimeout: '1 minute',
    retry: { maximumAttempts: 1 },
  });
  await caseEvent(event);
}
