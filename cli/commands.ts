import type { CommandSpec, OptionSpec } from './commandSpec.ts';
import { APP_COMMANDS } from './specs/appCommands.ts';
import { EXECUTION_COMMANDS } from './specs/executionCommands.ts';
import { PROJECT_COMMANDS } from './specs/projectCommands.ts';
import { QUEUE_COMMANDS } from './specs/queueCommands.ts';

export const COMMANDS: readonly CommandSpec[] = [
  ...APP_COMMANDS,
  ...PROJECT_COMMANDS,
  ...EXECUTION_COMMANDS,
  ...QUEUE_COMMANDS,
  {
    name: 'agent chat',
    summary: 'Chat with an agent; on a terminal it asks before a tool that needs approval runs',
    arguments: [{ name: '<agent>', summary: 'id or slug' }],
    options: [
      { flags: '--task <id>', summary: 'continue this task' },
      { flags: '--message <text>', summary: 'send this message, and exit after the answer' },
    ],
    examples: ['perdure agent chat desk --message "Where is my order 4711?"'],
    operations: ['listAgents', 'streamMessage', 'resumeMessageStream'],
    load: async () => (await import('./commands/agents.ts')).chat,
  },
  {
    name: 'apps list',
    summary: 'List the apps of the workspace, and where their actions run',
    examples: ['perdure apps list'],
    operations: ['listApps'],
    load: async () => (await import('./commands/apps.ts')).listApps,
  },
  {
    name: 'apps options',
    summary: 'Load the options of a field from its service, such as the channels of a Slack workspace',
    arguments: [
      { name: '<action>', summary: 'appId.actionId, such as github.createIssue' },
      { name: '<field>', summary: 'key of the field' },
    ],
    options: [
      { flags: '--connection <connection>', summary: 'id or slug; default: the only one of the app, or its default' },
      { flags: '--input <k=v>', summary: 'value of a field that the options depend on', many: true },
      { flags: '--search <text>', summary: 'only options that contain this text' },
    ],
    examples: ['perdure apps options github.createIssue repo --input owner=acme'],
    operations: ['listConnections', 'loadOptions'],
    load: async () => (await import('./commands/apps.ts')).loadOptions,
  },
  {
    name: 'api',
    summary: 'Call any operation of the contract; without an argument, list them',
    arguments: [{ name: '[operationId]', summary: 'such as getWorkflow' }],
    options: [
      { flags: '--path <k=v>', summary: 'a parameter of the path', many: true },
      { flags: '--query <k=v>', summary: 'a parameter of the query', many: true },
      { flags: '--body <json>', summary: 'the body: JSON, @file, or - for stdin' },
      { flags: '--idempotency-key <key>', summary: 'requests with the same key take effect once' },
    ],
    examples: ['perdure api listExecutions --query filterBy=status:FAILED --query limit=5'],
    operations: [],
    load: async () => (await import('./commands/api.ts')).api,
  },
  {
    name: 'login',
    summary:
      'Save a URL and an API key, which is read from stdin, as a context; without --url, those of the Perdure of this folder',
    options: [
      {
        flags: '--url <url>',
        summary: 'URL of the API; default: the Perdure that was started in this folder or one above',
      },
      { flags: '--name <name>', summary: 'name of the context; default: the host' },
    ],
    examples: ['perdure login', 'perdure login --url https://perdure.example.com < key.txt'],
    operations: ['getCurrentUser'],
    load: async () => (await import('./commands/contexts.ts')).login,
  },
  {
    name: 'context list',
    summary: 'List the saved contexts',
    examples: ['perdure context list'],
    operations: [],
    load: async () => (await import('./commands/contexts.ts')).listContexts,
  },
  {
    name: 'context use',
    summary: 'Switch to another context',
    arguments: [{ name: '<context>', summary: 'its name' }],
    examples: ['perdure context use perdure.example.com'],
    operations: [],
    load: async () => (await import('./commands/contexts.ts')).useContext,
  },
  {
    name: 'whoami',
    summary: 'Show the caller, the API, and the permissions',
    examples: ['perdure whoami --json'],
    operations: ['getCurrentUser'],
    load: async () => (await import('./commands/contexts.ts')).whoami,
  },
  {
    name: 'version',
    summary: 'Show the version of this command',
    examples: ['perdure version'],
    operations: [],
    load: async () => (await import('./commands/start.ts')).version,
  },
  {
    name: 'doctor',
    summary: 'Check everything that commands need',
    examples: ['perdure doctor'],
    operations: ['getReadiness', 'getCurrentUser', 'listProjects'],
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'completion',
    summary: 'Print the completion script of a shell',
    arguments: [{ name: '<shell>', summary: 'bash, zsh or fish' }],
    examples: ['source <(perdure completion bash)'],
    operations: [],
    load: async () => (await import('./commands/completion.ts')).completion,
  },
];

export const GROUPS: Readonly<Record<string, string>> = {
  executions: 'Find, watch, retry and cancel executions',
  questions: 'List and answer questions of executions',
  queue: 'List, add and process queue items',
  agent: 'Chat with agents',
  app: 'Make apps from OpenAPI documents and MCP servers',
  apps: 'List the apps of the workspace, and load the options of a field',
  context: 'List and switch saved contexts',
};

export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flags: '--context <context>', summary: 'a context that `perdure login` saved' },
  { flags: '--project <id or slug>', summary: 'the project; default: PERDURE_PROJECT' },
  { flags: '--json', summary: 'print one JSON document' },
  { flags: '--jsonl', summary: 'print a line of JSON for each row or event' },
  { flags: '--quiet', summary: 'print only data and errors' },
  { flags: '--no-color', summary: 'print without colors, as with NO_COLOR' },
];
