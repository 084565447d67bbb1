import { ActivityCancellationType, type ActivityOptions, proxyActivities, sleep } from '@temporalio/workflow';
import {
  batchesOf,
  type IngestionActivities,
  type IngestionBatch,
  type IngestionEnd,
  type IngestionRef,
  MAX_INGESTION_TRIES,
  nextTry,
} from '../domain/knowledge/ingestion.ts';

const options = (summary: string): ActivityOptions => ({
  summary,
  // Enough for a text of 10 MiB with the local encoder on a slow machine. Missing heartbeats show a lost worker.
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '15 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Publishes the document when each part has its vector. Each step is safe to repeat. */
export async function ingestDocument(ref: IngestionRef): Promise<string> {
  const { splitDocument } = proxyActivities<IngestionActivities>(options('Splits the text'));
  const split = await splitDocument(ref);
  if (split.status !== 'SPLIT') return endText(split);

  const ends = await Promise.all(batchesOf(split.parts).map((batch) => embedBatch({ ...ref, ...batch }, split.parts)));
  const end = ends.find((each) => each !== undefined);
  if (end !== undefined) return endText(end);

  const { finishDocument } = proxyActivities<IngestionActivities>(options('Shows the document'));
  const finished = await finishDocument(ref);
  return finished.status === 'READY' ? `READY ${split.parts}` : endText(finished);
}

async function embedBatch(batch: IngestionBatch, parts: number): Promise<IngestionEnd | undefined> {
  const { from, to } = batch;
  for (let attempt = 1; ; ) {
    const tried = attempt === 1 ? '' : `, try ${attempt} of ${MAX_INGESTION_TRIES}`;
    const { embedParts } = proxyActivities<IngestionActivities>(
      options(`Embeds parts ${from} to ${to - 1} of ${parts}${tried}`),
    );
    const outcome = await embedParts({ ...batch, isLast: attempt === MAX_INGESTION_TRIES });
    if (outcome.status === 'EMBEDDED') return undefined;
    if (outcome.status !== 'RETRY') return outcome;
    const next = nextTry(attempt, outcome);
    attempt = next.attempt;
    await sleep(next.pauseMs);
  }
}

function endText(end: IngestionEnd): string {
  return end.status === 'FAILED' ? `FAILED ${end.code}` : end.status;
}
