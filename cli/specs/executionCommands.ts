import type { CommandSpec, OptionSpec } from '../commandSpec.ts';
import { LIMIT } from './limit.ts';

const EXECUTION = { name: '<execution>', summary: 'id or number' };
const INPUT: OptionSpec = { flags: '--input <json>', summary: 'values of the trigger: JSON, @file, or - for stdin' };
const FOLLOW: OptionSpec = {
  flags: '--follow',
  summary: 'show it until it ends: a live tree on a terminal, otherwise a line of JSON for each change',
};
const NO_ANSWER: OptionSpec = { flags: '--no-answer', summary: 'exit with 10 if it waits for input' };
const LABEL: OptionSpec = { flags: '--label <k=v>', summary: 'a label; repeatable', many: true };

export const EXECUTION_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'run',
    summary: 'Start a workflow',
    arguments: [{ name: '<workflow>', summary: 'id or slug' }],
    options: [
      INPUT,
      LABEL,
      FOLLOW,
      { flags: '--wait <duration>', summary: 'wait for the end for at most this time, such as 10m' },
      NO_ANSWER,
      { flags: '--idempotency-key <key>', summary: 'requests with the same key start it once' },
    ],
    examples: [
      'perdure run greet --input \'{"name": "Ada"}\' --follow',
      'perdure run import --input @orders.json --wait 10m',
    ],
    operations: ['listWorkflows', 'executeWorkflow', 'streamExecution', 'getExecution', 'listExecutionSteps'],
    load: async () => (await import('../commands/run.ts')).run,
  },
  {
    name: 'executions list',
    summary: 'List executions, newest first',
    options: [
      { flags: '--status <status>', summary: 'such as FAILED or NEEDS_INPUT' },
      { flags: '--workflow <workflow>', summary: 'id or slug' },
      { flags: '--since <duration>', summary: 'started within this time, such as 24h' },
      { flags: '--error <code>', summary: 'failed with this code' },
      { flags: '--failed-node <id>', summary: 'failed at this node' },
      { flags: '--retrying', summary: 'with a step that is being retried' },
      { flags: '--waiting-for-approval', summary: 'with a step that waits for the approval of a tool call' },
      { flags: '--waiting-for-worker <queue>', summary: 'with a step whose task queue no worker polls' },
      LABEL,
      LIMIT,
    ],
    examples: ['perdure executions list --status failed --since 24h', 'perdure executions list --label order=4711'],
    operations: ['listExecutions', 'listWorkflows'],
    load: async () => (await import('../commands/executions.ts')).listExecutions,
  },
  {
    name: 'executions show',
    summary: 'Show an execution with its steps and its output',
    arguments: [EXECUTION],
    examples: ['perdure executions show 12'],
    operations: ['getExecution', 'listExecutions'],
    load: async () => (await import('../commands/executions.ts')).showExecution,
  },
  {
    name: 'executions watch',
    summary: 'Show an execution until it ends; the exit code shows how it ended',
    arguments: [EXECUTION],
    options: [NO_ANSWER],
    examples: ['perdure executions watch 12'],
    operations: ['streamExecution', 'listExecutions', 'listExecutionSteps'],
    load: async () => (await import('../commands/executions.ts')).watchExecution,
  },
  {
    name: 'executions logs',
    summary: 'Print the console of code steps',
    arguments: [EXECUTION],
    options: [{ flags: '--node <id>', summary: 'only of this node' }],
    examples: ['perdure executions logs 12 --node total'],
    operations: ['listExecutionSteps', 'getExecutionStep', 'listExecutions'],
    load: async () => (await import('../commands/executions.ts')).logsOfExecution,
  },
  {
    name: 'executions retry',
    summary: 'Run failed steps again; completed steps are reused',
    arguments: [EXECUTION],
    options: [
      { flags: '--from <node>', summary: 'run this node and the following ones again' },
      { flags: '--again', summary: 'retry an execution again after one of its retries has completed' },
      { flags: '--failed-items', summary: 'also run failed items of loops that continued' },
      INPUT,
      FOLLOW,
      NO_ANSWER,
    ],
    examples: ['perdure executions retry 12 --follow', 'perdure executions retry 12 --failed-items'],
    operations: ['retryExecution', 'listExecutions', 'streamExecution', 'listExecutionSteps'],
    load: async () => (await import('../commands/executions.ts')).retryExecution,
  },
  {
    name: 'executions cancel',
    summary: 'Cancel an execution',
    arguments: [EXECUTION],
    options: [
      { flags: '--reason <text>', summary: 'stored with the execution' },
      { flags: '--terminate', summary: 'stop without waiting for running steps, whose effects may continue' },
      { flags: '--wait', summary: 'wait until it has ended' },
    ],
    examples: ['perdure executions cancel 12 --reason "the order was withdrawn" --wait'],
    operations: ['cancelExecution', 'terminateExecution', 'listExecutions', 'streamExecution'],
    load: async () => (await import('../commands/executions.ts')).cancelExecution,
  },
  {
    name: 'questions list',
    summary: 'List open questions, oldest first',
    options: [
      { flags: '--workflow <workflow>', summary: 'id or slug' },
      { flags: '--execution <execution>', summary: 'of this execution: id or number' },
      { flags: '--mine', summary: 'only those that this caller may answer' },
    ],
    examples: ['perdure questions list --mine'],
    operations: ['listPendingInputs', 'listWorkflows', 'listExecutions'],
    load: async () => (await import('../commands/questions.ts')).listQuestions,
  },
  {
    name: 'questions answer',
    summary: 'Answer a question of an execution',
    arguments: [EXECUTION],
    options: [
      { flags: '--node <id>', summary: 'if the execution has questions at several nodes' },
      { flags: '--step <id>', summary: 'if a node has questions in several iterations' },
      { flags: '--set <k=v>', summary: 'a value of the form; repeatable', many: true },
    ],
    examples: ['perdure questions answer 12 --set approved=yes --set comment="as agreed"'],
    operations: ['getExecution', 'submitInput', 'listExecutions'],
    load: async () => (await import('../commands/questions.ts')).answerQuestion,
  },
];
