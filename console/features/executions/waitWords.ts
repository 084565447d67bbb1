import { counted } from '../../ui/words/counted.ts';

/** What an execution of a list waits for; they come with the list. */
export const WAITS = {
  asks: (title: string) => `“${title}”`,
  asksPerson: 'The answer of a person',
  nextAttempt: (step: string, attempt: number, when: string) => `“${step}”: attempt ${attempt} ${when}`,
  moreRetrying: (count: number) => `and ${counted(count, 'more step', 'more steps')}`,
};
