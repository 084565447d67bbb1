import type { components } from 'perdure-client';
import { counted } from './counted.ts';
import { EXECUTION } from './en/execution.ts';
import { HOME } from './en/home.ts';
import { INBOX } from './en/inbox.ts';

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
  more: 'Show more',
  less: 'Show less',
  close: 'Close',
  retryLoad: 'Try again',
  copied: 'Copied',
  copy: (what: string) => `Copy ${what}`,
  none: '—',

  navigation: {
    label: 'Main',
    open: 'Open navigation',
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
    schemes: { light: 'Light', dark: 'Dark', auto: 'As the system' },
    live: 'Live',
    notLive: 'Not live',
  },

  login: {
    title: 'Log in',
    email: 'E-mail',
    password: 'Password',
    button: 'Log in',
    with: (provider: string) => `Log in with ${provider}`,
    or: 'or',
    sendLink: 'Send me a link instead',
    linkSent: (email: string) => `If ${email} has an account, a link is on its way. It can be used once.`,
    codeTitle: 'Second factor',
    code: 'Code',
    codeHelp: 'The six digits of your app, or one of your backup codes.',
    codeButton: 'Confirm',
    back: 'Use another account',
    wrong: 'E-mail or password is not right.',
    wrongCode: 'The code is not right, or was used already.',
    tooMany: (seconds: number) => `Too many tries. Try again in ${counted(seconds, 'second', 'seconds')}.`,
    away: 'The API does not answer. Your text is kept; try again.',
    checking: 'Checking your link…',
    linkInvalid: 'This link was used already, or has ended. Log in, or ask for a new one.',
    invited: 'You have an account already. Log in, and accept the invitation there.',
    ended: 'Your session has ended. Log in again.',
    refused: {
      SSO_REQUIRED: 'Your organisation logs in with its own provider: use its button.',
      PASSWORD_LOGIN_DISABLED: 'Passwords are switched off here: use the button of your provider.',
    } as Record<string, string>,
    ssoFailed: (code: string) => `The login with your provider has failed (${code}). Try again.`,
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
    retrying: 'Retrying now',
    heldOnly: 'Held',
    workflow: 'Workflow',
    allWorkflows: 'All workflows',
    clear: 'Clear filters',
    noneYet: 'Nothing has run yet. Start a workflow, and its executions stand here.',
    noneMatch: 'No execution matches these filters.',
    held: 'Held',
    longList: 'States change here; new executions come when the list is read again.',
    readAgain: 'Read again',
    fresh: (count: number) => `Show ${counted(count, 'new execution', 'new executions')}`,
    row: (number: number) => `execution ${number}`,
    selected: (count: number) => `${counted(count, 'execution', 'executions')} selected`,
    allMatching: 'All that match',
    allMatchingCount: (count: string) => `All that match: ${count}`,
    retry: 'Retry',
    cancel: 'Cancel',
    confirmRetry: (count: number) => `Retry ${counted(count, 'execution', 'executions')}?`,
    confirmCancel: (count: number) => `Cancel ${counted(count, 'execution', 'executions')}?`,
    retryMeans: 'What completed is kept; what failed runs again. Those that are open or completed are left alone.',
    cancelMeans: 'Each stops at once. Those that have ended are left alone.',
    counting: 'Counting…',
    nothingEligible: 'None of them can be changed this way.',
    reason: 'Reason (optional)',
    typeNumber: (count: number) => `Type ${count} to confirm`,
    keepOpen: 'Keep this page open until it is done.',
    done: (count: number) => `Done: ${counted(count, 'execution', 'executions')}.`,
    failed: (count: number) => `${counted(count, 'execution was', 'executions were')} refused:`,
    stop: 'Stop',
    goOn: 'Go on',
    dismiss: 'Leave as it is',
  },

  execution: EXECUTION,
  inbox: INBOX,

  table: {
    select: (name: string) => `Select ${name}`,
    selectShown: 'Select all that are shown',
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
    most: (count: number) => `highest: ${count.toLocaleString('en')}`,
    tones: { good: 'completed', bad: 'failed', run: 'open', neutral: 'cancelled', wait: 'waiting', ask: 'asks' },
  },

  proof: {
    title: 'Is it you?',
    means: 'What lasts longer than a session needs a fresh proof. It counts for five minutes.',
    password: 'Your password',
    code: 'Code',
    codeHelp: 'The six digits of your app, or one of your backup codes.',
    usePassword: 'Use the password',
    useCode: 'Use a code',
    button: 'Go on',
    wrong: 'That is not right. Try again.',
    byProvider: 'You have no password here. Log out, log in with your provider, and do this within five minutes.',
    none: 'You have no password yet. Set one in your account, log in with it, and come back.',
    dismissed: 'It was not done: the proof was not given.',
  },

  problem: {
    title: 'That did not work',
    away: 'The API does not answer',
    awayText: 'What you see is from before. It comes back by itself.',
    request: 'Request',
    forbidden: 'You may not see this.',
    notFoundTitle: 'There is no such page',
    notFoundText: 'The address is wrong, or what stood there was deleted.',
    toHome: 'To the executions',
    crashed: 'This part of the page has failed',
  },

  time: {
    now: 'now',
    ago: (text: string) => text,
    zone: 'Times are shown in your zone.',
  },
};

export type Words = typeof WORDS;
