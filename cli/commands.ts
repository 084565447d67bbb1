import type { CommandSpec, OptionSpec } from './commandSpec.ts';
import { EXECUTION_COMMANDS } from './specs/executionCommands.ts';
import { PROJECT_COMMANDS } from './specs/projectCommands.ts';
import { QUEUE_COMMANDS } from './specs/queueCommands.ts';

/** Every command, in the order of help. */
export const COMMANDS: readonly CommandSpec[] = [
  ...PROJECT_COMMANDS,
  ...EXECUTION_COMMANDS,
  ...QUEUE_COMMANDS,
  {
    name: 'agent chat',
    summary: 'Talk with an agent; on a terminal it asks before a tool that needs approval runs',
    arguments: [{ name: '<agent>', summary: 'id or slug' }],
    options: [
      { flags: '--task <id>', summary: 'go on with this task' },
      { flags: '--message <text>', summary: 'say this, and end' },
    ],
    examples: ['perdure agent chat desk --message "Where is my order 4711?"'],
    operations: ['listAgents', 'streamMessage', 'resumeMessageStream'],
    load: async () => (await import('./commands/agents.ts')).chat,
  },
  {
    name: 'api',
    summary: 'Call any operation of the contract; without one, list them',
    arguments: [{ name: '[operationId]', summary: 'such as getWorkflow' }],
    options: [
      { flags: '--path <k=v>', summary: 'a parameter of the path', many: true },
      { flags: '--query <k=v>', summary: 'a parameter of the query', many: true },
      { flags: '--body <json>', summary: 'the body: JSON, @file, or - for stdin' },
      { flags: '--idempotency-key <key>', summary: 'the same key does it once' },
    ],
    examples: ['perdure api listExecutions --query filterBy=status:FAILED --query limit=5'],
    operations: [],
    load: async () => (await import('./commands/api.ts')).api,
  },
  {
    name: 'login',
    summary:
      'Keep a URL and an API key, which is read from stdin, as a context; without --url those of the Perdure of this folder',
    options: [
      {
        flags: '--url <url>',
        summary: 'of the API; default: of the Perdure that was started in this folder or one above',
      },
      { flags: '--name <name>', summary: 'of the context; default: the host' },
    ],
    examples: ['perdure login', 'perdure login --url https://perdure.example.com < key.txt'],
    operations: ['getCurrentUser'],
    load: async () => (await import('./commands/contexts.ts')).login,
  },
  {
    name: 'context list',
    summary: 'The contexts that are kept',
    examples: ['perdure context list'],
    operations: [],
    load: async () => (await import('./commands/contexts.ts')).listContexts,
  },
  {
    name: 'context use',
    summary: 'Work with another context from now on',
    arguments: [{ name: '<context>', summary: 'its name' }],
    examples: ['perdure context use perdure.example.com'],
    operations: [],
    load: async () => (await import('./commands/contexts.ts')).useContext,
  },
  {
    name: 'whoami',
    summary: 'Who calls, where, and what they may do',
    examples: ['perdure whoami --json'],
    operations: ['getCurrentUser'],
    load: async () => (await import('./commands/contexts.ts')).whoami,
  },
  {
    name: 'version',
    summary: 'Of this command',
    examples: ['perdure version'],
    operations: [],
    load: async () => (await import('./commands/start.ts')).version,
  },
  {
    name: 'doctor',
    summary: 'Check what commands need, one by one',
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

/** What the commands of a group are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  executions: 'Find, watch, retry and cancel executions',
  questions: 'See and answer what waits for a person',
  queue: 'See, add and work on the items of queues',
  agent: 'Talk with agents',
  context: 'The Perdures that are kept, and which one is meant',
};

/** Of every command. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flags: '--context <context>', summary: 'a context that was kept by `perdure login`' },
  { flags: '--project <id>', summary: 'the project; default: PERDURE_PROJECT' },
  { flags: '--json', summary: 'one document of JSON' },
  { flags: '--jsonl', summary: 'a line of JSON for each row or event' },
  { flags: '--quiet', summary: 'data and failures alone' },
  { flags: '--no-color', summary: 'as NO_COLOR does' },
];
