import { counted } from '../../ui/words/counted.ts';

/** What is done with many executions at once; they come with its dialog. */
export const BULK = {
  counting: 'Counting…',
  confirmRetry: (count: number) => `Retry ${counted(count, 'execution', 'executions')}?`,
  confirmCancel: (count: number) => `Cancel ${counted(count, 'execution', 'executions')}?`,
  retryMeans: 'What completed is kept; what failed runs again. Those that are open or completed are left alone.',
  failedItemsMean:
    'What completed is kept; what failed runs again, items that failed in loops too, and what follows these loops. Those that are open are left alone.',
  confirmTerminate: (count: number) => `Terminate ${counted(count, 'execution', 'executions')}?`,
  terminateMeans: 'Each ends at once without clean-up. Calls that are running may still have their effect.',
  cancelMeans: 'Each stops at once. Those that have ended are left alone.',
  nothingEligible: 'None of them can be changed this way.',
  failedItems: (count: number) =>
    `Run the items that failed in loops once more: ${counted(count, 'execution has', 'executions have')} some`,
  done: (count: number) => `Done: ${counted(count, 'execution', 'executions')}.`,
  failed: (count: number) => `${counted(count, 'execution was', 'executions were')} refused:`,
};
