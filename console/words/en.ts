import type { components } from 'perdure-client';
import { counted } from './counted.ts';
import { HOME } from './en/home.ts';

type Status = components['schemas']['ExecutionStatus'];
type StepStatus = components['schemas']['ExecutionStep']['status'];

/**
 * The words of all pages; those of one area stand in `en/` and come with its pages, since the first page waits for what is
 * here. A second language is one more file and folder of the same types.
 */
export const WORDS = {
  product: 'Perdure',
  skip: 'Skip to the page',
  loading: 'Loading…',
  slow: 'The API takes its time. This comes as soon as it has answered.',
  more: 'Show more',
  less: 'Show less',
  close: 'Close',
  showTyped: 'Show what is typed',
  retryLoad: 'Try again',
  copied: 'Copied',
  copy: (what: string) => `Copy ${what}`,
  none: '—',
  inUtc: (label: string) => `${label}, UTC`,
  followed: (workspace: string) =>
    `This tab has followed another one to “${workspace}”: a browser is in one workspace at a time.`,

  navigation: {
    label: 'Main',
    open: 'Open navigation',
    find: 'Jump to…',
    keys: 'Keys',
    home: 'Home',
    executions: 'Executions',
    objects: 'Entities',
    settings: 'Settings',
    settingsPages: {
      connections: 'Connections',
      variables: 'Variables',
      people: 'People',
      keys: 'API keys',
      audit: 'Audit log',
      account: 'Account',
      system: 'System',
    },
    workflows: 'Workflows',
    inbox: 'Inbox',
    queues: 'Queues',
    agents: 'Agents',
    knowledge: 'Knowledge',
    account: (name: string) => `${name}: account and appearance`,
    workspace: 'Workspace',
    ownAccount: 'Your account',
    logOut: 'Log out',
    endSession: 'End this session everywhere',
    scheme: 'Appearance',
    zone: 'Times',
    zones: { local: 'Of this machine', UTC: 'UTC' },
    schemes: { light: 'Light', dark: 'Dark', auto: 'As the system' },
    live: 'Live',
    notLive: 'Not live',
  },

  status: {
    PENDING: 'Pending',
    RUNNING: 'Running',
    WAITING: 'Waiting',
    NEEDS_INPUT: 'Needs input',
    COMPLETED: 'Completed',
    FAILED: 'Failed',
    CANCELLED: 'Cancelled',
    TIMED_OUT: 'Timed out',
    QUEUED: 'Queued',
    RETRYING: 'Retrying',
  } satisfies Record<Status | StepStatus, string>,

  executions: {
    failedKey: 'Only those that failed',
    retryKey: 'Retry what is chosen, or all that match',
    cancelKey: 'Cancel what is chosen, or all that match',
    title: 'Executions',
    columns: {
      select: 'Selection',
      status: 'State',
      number: 'Number',
      workflow: 'Workflow',
      labels: 'Labels',
      started: 'Started',
      duration: 'Duration',
      about: 'Waits for, or error',
    },
    search: 'Find',
    searchHelp: 'A number (#4102), a label (order=A-1042), an error code, or the name of an execution',
    searchExample: '#4102, order=A-1042, HTTP_502',
    filters: 'Filters',
    anyStatus: 'All',
    since: 'Started',
    sinces: { '': 'Any time', '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' },
    between: 'Between…',
    after: 'Started from',
    before: 'Started before',
    retrying: 'Retrying now',
    heldOnly: 'Held',
    workflow: 'Workflow',
    allWorkflows: 'All workflows',
    clear: 'Clear filters',
    noneYet: 'Nothing has run yet. Start a workflow, and its executions stand here.',
    noneMatch: 'No execution matches these filters.',
    spans: { '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as Record<string, string>,
    showSpan: (span: string) => `Show ${span}`,
    held: 'Held',
    copyIds: 'Copy ids',
    goesOn: 'Goes on',
    longList: 'States change here; new executions come when the list is read again.',
    readAgain: 'Read again',
    fresh: (count: number) => `Show ${counted(count, 'new execution', 'new executions')}`,
    row: (number: number) => `execution ${number}`,
    selected: (count: number) => `${counted(count, 'execution', 'executions')} selected`,
    allMatching: 'All that match',
    retry: 'Retry',
    cancel: 'Cancel',
    terminate: 'Terminate',
    reason: 'Reason (optional)',
    dismiss: 'Leave as it is',
  },

  table: {
    select: (name: string) => `Select ${name}`,
    selectShown: 'Select all that are shown',
    selectTo: 'Select all from the one selected last to this one',
  },

  form: {
    yes: 'Yes',
    no: 'No',
    required: 'This is needed.',
    number: 'This is not a number.',
    json: 'This is not JSON.',
  },

  home: HOME,

  chart: {
    nothing: 'nothing',
    noneRan: 'Nothing ran in this time.',
    most: (count: number) => `highest: ${count.toLocaleString('en')}`,
    tones: { good: 'completed', bad: 'failed', run: 'open', neutral: 'cancelled', wait: 'waiting', ask: 'asks' },
  },

  problem: {
    noProof: 'It was not done: the proof was not given.',
    title: 'That did not work',
    away: 'The API does not answer',
    busy: 'The API cannot answer now',
    elsewhere: (status: number) => `Something before the API has answered (${status}). Try again in a moment.`,
    awayHelp: 'What you wrote is kept. Try again in a moment.',
    busyHelp: (wait: string) => `What you wrote is kept. Try again in ${wait}.`,
    awayRead: 'It comes back by itself.',
    awayText: 'What you see is from before. It comes back by itself.',
    request: 'Request',
    copyRequest: 'Copy',
    forbidden: 'You may not do this',
    forbiddenHelp: 'An owner of the workspace can give you the permission.',
    notAllowedTitle: 'This page is not for you',
    notAllowedText: 'You lack the permission for it. An owner of the workspace can give it to you.',
    notFoundTitle: 'There is no such page',
    notFoundText: 'The address is wrong, or what stood there was deleted.',
    toHome: 'To the first page',
    toList: (list: string) => `All of them: ${list}`,
    notShown: 'This page could not be shown',
    notLoaded:
      'A part of the console has not come; there may be a new version of it. To try again, the page is loaded once more.',
    crashed: 'This part of the page has failed',
  },

  time: {
    now: 'now',
    ago: (text: string) => text,
    zone: 'Times are shown in your zone.',
  },
};

export type Words = typeof WORDS;
