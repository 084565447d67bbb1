import { CancellationScope, workflowInfo } from '@temporalio/workflow';

/**
 * The result of a command that was just given. Where it is cancelled in the task in which it was given, it was never
 * sent, and ends at once. Core would answer with the next activation: before or after the end of a local activity,
 * depending on how the ends of local activities came together, which a replay does not repeat.
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
