import type { ActionManifest, AppManifest, ConnectionType } from '../../../domain/app/manifest.ts';
import { A_COUNT, A_FLAG, A_TEXT, fixed, listOf } from '../../../domain/app/outputSchema.ts';
import type { Field, InputField } from '../../../domain/field.ts';
import { icon } from '../icon.ts';
import { gitHubAddresses } from './addresses.ts';

const ISSUE = fixed({
  number: A_COUNT,
  title: A_TEXT,
  body: A_TEXT,
  state: A_TEXT,
  labels: listOf(A_TEXT),
  assignees: listOf(A_TEXT),
  author: A_TEXT,
  url: A_TEXT,
  createdAt: A_TEXT,
  updatedAt: A_TEXT,
});

const ISSUE_EXAMPLE = {
  number: 17,
  title: 'The export is empty',
  body: 'Since this morning.',
  state: 'open',
  labels: ['bug'],
  assignees: ['ada'],
  author: 'grace',
  url: 'https://github.com/acme/shop/issues/17',
  createdAt: '2026-11-21T10:15:30Z',
  updatedAt: '2026-11-21T10:15:30Z',
};

const REPOSITORY: InputField[] = [
  { key: 'owner', label: 'Owner', type: 'text', required: true, help: 'The person or organization, such as acme.' },
  {
    key: 'repo',
    label: 'Repository',
    type: 'text',
    required: true,
    options: { load: true, dependsOn: ['owner'] },
    help: 'Its name alone, such as shop.',
  },
];
const NUMBER: Field = { key: 'number', label: 'Issue number', type: 'number', required: true };
const LABELS: Field = { key: 'labels', label: 'Labels', type: 'json', required: false, help: 'A list of names.' };
const ASSIGNEES: Field = {
  key: 'assignees',
  label: 'Assignees',
  type: 'json',
  required: false,
  help: 'A list of logins.',
};

const COMMON = {
  requiresConnection: true,
  permissions: [],
  placement: 'remote',
  timeoutMs: 60_000,
} satisfies Partial<ActionManifest>;

const CREATE_ISSUE: ActionManifest = {
  actionId: 'createIssue',
  name: 'Create an issue',
  description:
    'Opens an issue in a repository. GitHub does not detect repeated requests: an attempt whose response was lost may have opened one already.',
  inputConfig: {
    fields: [
      ...REPOSITORY,
      { key: 'title', label: 'Title', type: 'text', required: true },
      { key: 'body', label: 'Text', type: 'longText', required: false, default: '', help: 'Markdown.' },
      LABELS,
      ASSIGNEES,
    ],
  },
  outputExample: ISSUE_EXAMPLE,
  outputSchema: ISSUE,
  effect: 'write',
  repeatable: false,
  ...COMMON,
};

const UPDATE_ISSUE: ActionManifest = {
  actionId: 'updateIssue',
  name: 'Change an issue',
  description: 'Changes, reopens or closes an issue. Absent fields stay unchanged.',
  inputConfig: {
    fields: [
      ...REPOSITORY,
      NUMBER,
      { key: 'title', label: 'Title', type: 'text', required: false },
      { key: 'body', label: 'Text', type: 'longText', required: false, help: 'Markdown.' },
      {
        key: 'state',
        label: 'State',
        type: 'select',
        required: false,
        options: [
          { value: 'open', label: 'Open' },
          { value: 'closed', label: 'Closed' },
        ],
      },
      { ...LABELS, help: 'A list of names; they replace those that it has.' },
      { ...ASSIGNEES, help: 'A list of logins; they replace those that it has.' },
    ],
  },
  outputExample: { ...ISSUE_EXAMPLE, state: 'closed' },
  outputSchema: ISSUE,
  effect: 'write',
  repeatable: true,
  ...COMMON,
};

const COMMENT: ActionManifest = {
  actionId: 'comment',
  name: 'Comment on an issue',
  description: 'Writes a comment on an issue or a pull request.',
  inputConfig: {
    fields: [
      ...REPOSITORY,
      NUMBER,
      { key: 'body', label: 'Text', type: 'longText', required: true, help: 'Markdown.' },
    ],
  },
  outputExample: {
    id: 4711,
    url: 'https://github.com/acme/shop/issues/17#issuecomment-4711',
    createdAt: '2026-11-21T10:15:30Z',
  },
  outputSchema: fixed({ id: A_COUNT, url: A_TEXT, createdAt: A_TEXT }),
  effect: 'write',
  repeatable: false,
  ...COMMON,
};

const LIST_ISSUES: ActionManifest = {
  actionId: 'listIssues',
  name: 'List issues',
  description: 'Reads the issues of a repository without its pull requests, most recently changed first.',
  inputConfig: {
    fields: [
      ...REPOSITORY,
      {
        key: 'state',
        label: 'State',
        type: 'select',
        required: false,
        default: 'open',
        options: [
          { value: 'open', label: 'Open' },
          { value: 'closed', label: 'Closed' },
          { value: 'all', label: 'All' },
        ],
      },
      { ...LABELS, help: 'A list of names: issues that have all of them.' },
      {
        key: 'since',
        label: 'Changed since',
        type: 'text',
        required: false,
        help: 'A time such as 2026-11-21T10:15:30Z.',
      },
      { key: 'most', label: 'Most issues', type: 'number', required: false, default: 100, help: '1 to 1,000.' },
    ],
  },
  outputExample: { issues: [ISSUE_EXAMPLE], hasMore: false },
  outputSchema: fixed({ issues: listOf(ISSUE), hasMore: A_FLAG }),
  effect: 'read',
  repeatable: true,
  ...COMMON,
};

const TOKEN: ConnectionType = {
  connectionId: 'token',
  name: 'Personal access token',
  type: 'apiKey',
  fields: [{ key: 'apiKey', label: 'Token', type: 'secret', required: true }],
};

export function gitHub(url?: string): AppManifest {
  const { authorizationUrl, tokenUrl, apiHost } = gitHubAddresses(url);
  return {
    appId: 'github',
    name: 'GitHub',
    description: 'Works with the issues of repositories on GitHub.',
    icon: icon(
      '<circle cx="6" cy="6" r="3"/><circle cx="6" cy="18" r="3"/><circle cx="18" cy="8" r="3"/><path d="M6 9v6"/><path d="M18 11c0 4-6 3-10 5"/>',
    ),
    categories: ['Development'],
    connectionTypes: [
      {
        connectionId: 'oauth2',
        name: 'GitHub account',
        type: 'oauth2',
        fields: [
          {
            key: 'clientId',
            label: 'Client id',
            type: 'text',
            required: false,
            help: "From your own OAuth app or GitHub App. Empty: the deployment's.",
          },
          { key: 'clientSecret', label: 'Client secret', type: 'secret', required: false },
          { key: 'scopes', label: 'Scopes', type: 'text', required: false, help: 'Default: repo.' },
        ],
        oauth2: { authorizationUrl, tokenUrl, scopes: 'repo', allowedHosts: apiHost },
      },
      TOKEN,
    ],
    actions: [CREATE_ISSUE, UPDATE_ISSUE, COMMENT, LIST_ISSUES],
    triggers: [],
  };
}
