interface Activation {
  isReplaying?: boolean | null | undefined;
  historyLength?: number | null | undefined;
}

/** Events when the first task of a workflow begins to which nothing happened before. */
const FIRST_TASK = 3;

let hasReplayed = false;
let isLive = false;
/** Length of the history in the task for which the workflow was rebuilt. */
let rebuiltAt: number | undefined;

/** Notes whether this workflow was in the memory of its worker when its present task began, or is built for it. */
export function noteActivation({ isReplaying, historyLength }: Activation): void {
  if (isReplaying) hasReplayed = true;
  else if (!isLive) {
    isLive = true;
    // A first task that was lost has left events behind, and there is nothing to replay before it.
    if (hasReplayed || (historyLength ?? 0) > FIRST_TASK) rebuiltAt = historyLength ?? undefined;
  }
}

/** Whether a worker may have been lost with the task that has begun at this length of the history. */
export function isRebuiltAt(historyLength: number): boolean {
  return rebuiltAt === historyLength;
}
