interface Activation {
  isReplaying?: boolean | null | undefined;
  historyLength?: number | null | undefined;
}

/** The length of the history when the first task of a new workflow begins. */
const FIRST_TASK = 3;

let hasReplayed = false;
let isLive = false;
/** The length of the history at the task for which the workflow was rebuilt. */
let rebuiltAt: number | undefined;

/** Notes whether the workflow was in its worker's memory when the current task began, or was rebuilt for it. */
export function noteActivation({ isReplaying, historyLength }: Activation): void {
  if (isReplaying) hasReplayed = true;
  else if (!isLive) {
    isLive = true;
    // A lost first task has left events behind, although there is nothing to replay before it.
    if (hasReplayed || (historyLength ?? 0) > FIRST_TASK) rebuiltAt = historyLength ?? undefined;
  }
}

/** Returns whether a worker may have been lost with the task that began at this length of the history. */
export function isRebuiltAt(historyLength: number): boolean {
  return rebuiltAt === historyLength;
}
