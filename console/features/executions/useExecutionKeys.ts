import { usePageKeys } from '../../ui/keys/pageKeys.ts';
import type { SearchOf } from '../../ui/search.ts';
import type { ExecutionStep } from './queries/executions.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION;
const TABS = ['graph', 'timeline', 'steps', 'children'] as const;
const PANES = ['input', 'output', 'error', 'attempts', 'console'] as const;
/** `t` for attempts, because another pane has the letter a. */
const PANE_KEYS = { input: 'i', output: 'o', error: 'e', attempts: 't', console: 'c' } as const;

interface ExecutionKeys {
  steps: readonly ExecutionStep[];
  chosen: ExecutionStep | undefined;
  choose: (stepId: string) => void;
  set: (change: SearchOf<'/frame/executions/$executionId'>) => void;
  onRetry: (() => void) | undefined;
  onCompare: () => void;
  onCopyLink: () => void;
  onRaw: () => void;
  onNeighbour: (by: 1 | -1) => void;
}

export function useExecutionKeys({ steps, chosen, choose, set, ...on }: ExecutionKeys): void {
  const at = steps.findIndex(({ id }) => id === chosen?.id);
  const go = (by: 1 | -1, isWanted: (step: ExecutionStep) => boolean) => () => {
    for (let index = at + by; index >= 0 && index < steps.length; index += by) {
      const step = steps[index];
      if (step !== undefined && isWanted(step)) return choose(step.id);
    }
  };
  const hasFailed = ({ status }: ExecutionStep) => status === 'FAILED';
  usePageKeys([
    ...(on.onRetry === undefined ? [] : [{ key: 'r', does: words.retry, act: on.onRetry }]),
    ...TABS.map((tab, index) => ({
      key: String(index + 1),
      does: words.key.tab(words.tabs[tab]),
      act: () => set({ tab }),
    })),
    { key: 'j', does: words.key.next, act: go(1, () => true) },
    { key: 'k', does: words.key.previous, act: go(-1, () => true) },
    { key: 'n', does: words.key.nextFailed, act: go(1, hasFailed) },
    { key: 'p', does: words.key.previousFailed, act: go(-1, hasFailed) },
    ...PANES.map((pane) => ({
      key: PANE_KEYS[pane],
      does: words.key.pane(words.panes[pane]),
      act: () => set({ pane }),
    })),
    { key: '[', does: words.key.previousExecution, act: () => on.onNeighbour(-1) },
    { key: ']', does: words.key.nextExecution, act: () => on.onNeighbour(1) },
    { key: 'd', does: words.compare, act: on.onCompare },
    { key: 'y', does: words.key.copyLink, act: on.onCopyLink },
    { key: 'v', does: words.raw.title, act: on.onRaw },
  ]);
}
