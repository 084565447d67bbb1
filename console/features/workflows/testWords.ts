/** Words of the tab `Tests` of a workflow. */
export const WORKFLOW_TESTS = {
  means:
    'Tests of a workflow stand in files beside its definition, and run on your machine or in CI, without a server and without a network. An execution becomes a test case: what its actions answered is repeated, and what it did is expected.',
  execution: 'Execution',
  choose: 'Choose…',
  executionOf: (number: number, status: string, when: string) => `#${number}, ${status}, ${when}`,
  noneYet: 'Nothing has ended yet: run it once, and record that as its first test case.',
  record: 'Record a test case',
  text: 'The test case',
  download: 'Download',
  copy: 'Copy',
  masked: 'It holds secrets as ***. Write values for the test in their place.',
  keepAs: (file: string) => `Keep it as ${file} in the folder of the project, and run it there:`,
  command: 'Copy the command',
};
