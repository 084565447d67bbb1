import { CancellationScope, workflowInfo } from '@temporalio/workflow';

/**
 * Ends the result of a command at once if the command is cancelled in the task that gave it, because it was never sent.
 * Core would report the cancellation with the next activation: before or after the end of a local activity, depending
 * on how these ends came together, which a replay does not repeat.
 */
export function endsUnsent<Result>(result: Promise<Result>): Promise<Result> {
  const { cancellable, cancelRequested } = CancellationScope.current();
  if (!cancellable) return result;
  const { historyLength } = workflowInfo();
  return new Promise((resolve, reject) => {
    let isOpen = true;
    result.then(
      (value) => {
        isOpen = false;
        resolve(value);
      },
      (error) => {
        isOpen = false;
        reject(error);
      },
    );
    cancelRequested.catch((error) => {
      if (isOpen && workflowInfo().historyLength === historyLength) reject(error);
    });
  });
}
