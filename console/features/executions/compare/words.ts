import { counted } from '../../../ui/words/counted.ts';

export const COMPARE = {
  title: (one: number) => `Compare #${one}`,
  loadingTitle: 'Compare',
  with: 'With',
  choose: 'Choose an execution…',
  option: (number: number, status: string, when: string) => `#${number} ${status}, ${when}`,
  none: 'There is no other execution of this workflow to compare it with.',
  chooseFirst: 'Choose an execution to see what differs.',
  onlyDifferences: 'Only what differs',
  swap: 'Change sides',
  facts: 'Both executions',
  fact: {
    status: 'State',
    version: 'Version',
    started: 'Started',
    duration: 'Duration',
    error: 'Error',
  },
  input: 'Input',
  output: 'Output',
  steps: 'Steps of both',
  step: 'Step',
  differs: 'What differs',
  sameSteps: 'No step differs.',
  same: 'Both have the same.',
  difference: {
    onlyOne: (one: string) => `only in ${one}`,
    onlyOther: (other: string) => `only in ${other}`,
    status: 'way',
    input: 'input',
    output: 'output',
    error: 'error',
  },
  summary: (differ: number, all: number) =>
    differ === 0
      ? `All ${counted(all, 'step is', 'steps are')} the same.`
      : `${differ} of ${counted(all, 'step', 'steps')} differ.`,
  leftOut: 'Older items of loops are left out here. Their steps are on the page of each execution.',
  large: 'At least one of them is too large to be compared here. Open the step in each execution.',
  nothing: 'nothing',
  more: (most: number) => `More than ${most} places differ; these are the first.`,
  place: 'Place',
  whole: 'the whole',
};
