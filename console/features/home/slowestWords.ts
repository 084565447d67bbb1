/** Words of the slowest workflows; they come with that part of the home page. */
export const SLOWEST = {
  title: 'Slowest, last 24 hours',
  workflow: 'Workflow',
  half: 'Half',
  most: '95 of 100',
  means: 'How long executions took at most, from start to end; “was” is the day before.',
  was: (text: string) => `was ${text}`,
  leftOut: (count: string) => `Of the 100 workflows with most executions; ${count} more are not compared.`,
};
