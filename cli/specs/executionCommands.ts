import type { CommandSpec, OptionSpec } from '../commandSpec.ts';
import { LIMIT } from './limit.ts';

const EXECUTION = { name: '<execution>', summary: 'id or number' };
const INPUT: OptionSpec = { flags: '--input <json>', summary: 'values of the trigger: JSON, @file, or - for stdin' };
const FOLLOW: OptionSpec = {
  flags: '--follow',
  summary: 'show it to its end: a live tree on a terminal, otherwise a line of JSON for each change',
};
const NO_ANSWER: OptionSpec = { flags: '--no-answer', summary: 'end with 10 where a person is asked' };
const LABEL: OptionSpec = { flags: '--label <k=v>', summary: 'a label; may be given several times', many: true };

/** Workflows that run, and what they ask. */
export const EXECUTION_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'run',
    summary: 'Start a workflow',
    arguments: [{ name: '<workflow>', summary: 'id or slug' }],
    options: [
      INPUT,
      LABEL,
      FOLLOW,
      { flags: '--wait <duration>', summary: 'wait for the end so long at most, such as 10m' },
      NO_ANSWER,
      { flags: '--idempotency-key <key>', summary: 'the same key starts it once' },
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
    summary: 'Executions, newest first',
    options: [
      { flags: '--status <status>', summary: 'such as FAILED or NEEDS_INPUT' },
      { flags: '--workflow <workflow>', summary: 'id or slug' },
      { flags: '--since <duration>', summary: 'started within it, such as 24h' },
      { flags: '--error <code>', summary: 'failed with this code' },
      { flags: '--failed-node <id>', summary: 'failed at this node' },
      { flags: '--retrying', summary: 'a step of it is tried again and again' },
      { flags: '--waiting-for-approval', summary: 'a step of it waits for the approval of a tool call' },
      LABEL,
      LIMIT,
    ],
    examples: ['perdure executions list --status failed --since 24h', 'perdure executions list --label order=4711'],
    operations: ['listExecutions', 'listWorkflows'],
    load: async () => (await import('../commands/executions.ts')).listExecutions,
  },
  {
    name: 'executions show',
    summary: 'One execution with its steps and its output',
    arguments: [EXECUTION],
    examples: ['perdure executions show 12'],
    operations: ['getExecution', 'listExecutions'],
    load: async () => (await import('../commands/executions.ts')).showExecution,
  },
  {
    name: 'executions watch',
    summary: 'Show an execution to its end; the exit code tells how it ended',
    arguments: [EXECUTION],
    options: [NO_ANSWER],
    examples: ['perdure executions watch 12'],
    operations: ['streamExecution', 'listExecutions', 'listExecutionSteps'],
    load: async () => (await import('../commands/executions.ts')).watchExecution,
  },
  {
    name: 'executions logs',
    summary: 'What code steps wrote to their console',
    arguments: [EXECUTION],
    options: [{ flags: '--node <id>', summary: 'of this node alone' }],
    examples: ['perdure executions logs 12 --node total'],
    operations: ['listExecutionSteps', 'getExecutionStep', 'listExecutions'],
    load: async () => (await import('../commands/executions.ts')).logsOfExecution,
  },
  {
    name: 'executions retry',
    summary: 'Run again what failed; what completed is kept',
    arguments: [EXECUTION],
    options: [
      { flags: '--from <node>', summary: 'run this node and what follows it again' },
      { flags: '--again', summary: 'retry once more an execution of which a retry has completed' },
      { flags: '--failed-items', summary: 'run the items that failed in loops that went on again, too' },
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
      { flags: '--reason <text>', summary: 'kept with the execution' },
      { flags: '--terminate', summary: 'do not let its steps end; effects may go on' },
      { flags: '--wait', summary: 'until it has ended' },
    ],
    examples: ['perdure executions cancel 12 --reason "the order was withdrawn" --wait'],
    operations: ['cancelExecution', 'terminateExecution', 'listExecutions', 'streamExecution'],
    load: async () => (await import('../commands/executions.ts')).cancelExecution,
  },
  {
    name: 'questions list',
    summary: 'Questions that wait for a person, oldest first',
    options: [
      { flags: '--workflow <workflow>', summary: 'id or slug' },
      { flags: '--execution <execution>', summary: 'that this execution asks: id or number' },
      { flags: '--mine', summary: 'that this caller may answer' },
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
      { flags: '--node <id>', summary: 'where the execution asks at several nodes' },
      { flags: '--step <id>', summary: 'where a node asks in several iterations' },
      { flags: '--set <k=v>', summary: 'a value of the form; may be given several times', many: true },
    ],
    examples: ['perdure questions answer 12 --set approved=yes --set comment="as agreed"'],
    operations: ['getExecution', 'submitInput', 'listExecutions'],
    load: async () => (await import('../commands/questions.ts')).answerQuestion,
  },
];
