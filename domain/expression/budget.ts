/**
 * The budget of one evaluation. CEL always ends, but nested macros over long lists can take years; expressions run on
 * the worker's thread, so they are stopped.
 */
export const MAX_STEPS = 2_000_000;
/** Characters of a text that an expression makes. */
export const MAX_TEXT_LENGTH = 10_485_760;

// Evaluation is synchronous and never nested, so one counter serves all.
let left = MAX_STEPS;

export function startBudget(): void {
  left = MAX_STEPS;
}

export function charge(steps: number): void {
  left -= steps;
  if (left < 0) throw new Error(`the expression takes more than ${MAX_STEPS.toLocaleString('en-US')} steps`);
}

/** Charges a text to the budget, and refuses one that is too long. */
export function chargeText(length: number): void {
  if (length > MAX_TEXT_LENGTH) {
    throw new Error(`the expression makes a text of more than ${MAX_TEXT_LENGTH.toLocaleString('en-US')} characters`);
  }
  charge(length >> 6);
}

export function isSpent(): boolean {
  return left < 0;
}

/** CEL lets `||` and exists() pass over failures, but not over this one. */
export function endBudget(): void {
  charge(0);
}
