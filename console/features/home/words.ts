import { counted } from '../../ui/words/counted.ts';

export const HOME = {
  andMore: (count: string) => `and ${count} more`,
  ofOthers: (count: number, shown: string) =>
    count === 1 ? '1 question waits for others.' : `${shown} questions wait for others.`,
  title: 'Home',
  needsYou: 'Needs you',
  failing: 'Failing',
  running: 'Running',
  day: 'Executions, last 24 hours',
  approvals: (count: string) => `Approvals of tools: ${count}`,
  items: (count: number, queue: string) => `${counted(count, 'item', 'items')} ready in ${queue}`,
  nothing: 'Nothing needs you.',
  failed: (count: number, span: string) => `${counted(count, 'execution', 'executions')} failed in ${span}`,
  noFailed: (span: string) => `Nothing failed in ${span}.`,
  polls: 'Failing triggers',
  noneOpen: 'Nothing is running.',
  held: 'held by a pause or limit',
  retrying: 'retrying a step',
  next: 'Next',
  slow: (p50: string, p95: string) => `This hour: p50 ${p50}, p95 ${p95}.`,
  bounded: 'Only the newest executions are counted.',
};

export const FIRST_STEPS = {
  title: 'Get started',
  means:
    'Perdure runs workflows that must not get lost: they call services, wait for people for days, retry what fails, and continue after every restart.',
  example: 'Run an example',
  exampleMeans: 'Opens “Approve an order” in the editor and runs it. You approve the order.',
  template: 'Start from a template',
  templateMeans: 'Small projects, each copied as a draft: webhooks, queues, approvals, schedules, agents.',
  empty: 'Start empty',
  emptyMeans: 'Opens the editor with a new workflow.',
  apply: 'Deploy a project from your machine with',
  command: 'perdure apply',
  connect: 'Connect an app',
  connectMeans: 'so that steps can use its credentials',
  invite: 'Invite people',
  inviteMeans: 'to answer questions',
};

export const SLOWEST = {
  title: 'Slowest, last 24 hours',
  workflow: 'Workflow',
  half: 'p50',
  most: 'p95',
  means: 'Durations from start to end; “was” is the day before.',
  was: (text: string) => `was ${text}`,
  leftOut: (count: string) => `Only the 100 workflows with the most executions; ${count} more are not compared.`,
};
