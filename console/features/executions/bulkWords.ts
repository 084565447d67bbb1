import { counted } from '../../ui/words/counted.ts';

/** Apart from `words.ts`, because the dialog loads late. */
export const BULK = {
  counting: 'Counting…',
  confirmRetry: (count: number) => `Retry ${counted(count, 'execution', 'executions')}?`,
  confirmCancel: (count: number) => `Cancel ${counted(count, 'execution', 'executions')}?`,
  retryMeans: 'Completed steps are reused; failed steps run again. Open and completed executions are skipped.',
  failedItemsMean:
    'Completed steps are reused. Failed steps and failed loop items run again, and so do the steps after these loops. Open executions are skipped.',
  confirmTerminate: (count: number) => `Terminate ${counted(count, 'execution', 'executions')}?`,
  terminateMeans: 'Each execution ends at once without clean-up. Running calls may still take effect.',
  cancelMeans: 'Each execution stops at once. Those that have ended are skipped.',
  nothingEligible: 'None of these executions can be changed this way.',
  failedItems: (count: number) =>
    `Run failed loop items again (${counted(count, 'execution', 'executions')} with failed items)`,
  done: (count: number) => `Done: ${counted(count, 'execution', 'executions')}.`,
  failed: (count: number) => `${counted(count, 'execution was', 'executions were')} refused:`,
};
