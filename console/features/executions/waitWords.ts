import { counted } from '../../ui/words/counted.ts';

/** Apart from `words.ts`, because the list loads without it. */
export const WAITS = {
  asks: (title: string) => `“${title}”`,
  asksPerson: 'A person’s answer',
  nextAttempt: (step: string, attempt: number, when: string) => `“${step}”: attempt ${attempt} ${when}`,
  moreRetrying: (count: number) => `and ${counted(count, 'more step', 'more steps')}`,
};
