import { BUNDLE_KINDS } from '../../domain/bundle/bundle.ts';
import type { CommandSpec, OptionSpec } from '../commandSpec.ts';

const DELETE: OptionSpec = {
  flags: '--delete',
  summary: 'delete resources of this owner that the folder no longer has',
};
const TAKE_OVER: OptionSpec = { flags: '--take-over', summary: 'change resources of other owners, and own them' };
const FOLDER = { name: '[dir]', summary: 'folder of the project; default: this one' };

export const PROJECT_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'start',
    summary: 'Start Perdure here with everything that it needs; data are in ./.perdure',
    options: [
      { flags: '--example <name>', summary: 'run an example at the start; repeatable', many: true },
      { flags: '--no-examples', summary: 'run none' },
    ],
    examples: ['perdure start'],
    operations: [],
    load: async () => (await import('../commands/start.ts')).start,
  },
  {
    name: 'pull',
    summary: 'Write the project into a folder',
    arguments: [FOLDER],
    examples: ['perdure pull finance'],
    operations: ['exportProject'],
    load: async () => (await import('../commands/projects.ts')).pull,
  },
  {
    name: 'plan',
    summary: 'Show what an apply would change; exit code 2 if there are changes',
    arguments: [FOLDER],
    options: [
      DELETE,
      TAKE_OVER,
      { flags: '--markdown', summary: 'print a report for a pull request' },
      { flags: '--out <file>', summary: 'save the plan for `perdure apply <file>`, without values of the environment' },
    ],
    examples: ['perdure plan finance --out plan.json', 'perdure plan finance --context prod --markdown'],
    operations: ['applyProject'],
    load: async () => (await import('../commands/projects.ts')).plan,
  },
  {
    name: 'apply',
    summary: 'Apply the folder to the project, all or nothing; or apply a saved plan exactly',
    arguments: [{ name: '[dir]', summary: 'folder of the project, or a plan' }],
    options: [
      DELETE,
      TAKE_OVER,
      { flags: '--yes', summary: 'do not ask; required without a terminal' },
      { flags: '--test', summary: 'run the cases of the folder first; apply nothing if one fails' },
    ],
    examples: ['perdure apply finance --yes', 'perdure apply plan.json'],
    operations: ['applyProject', 'listWorkflows'],
    load: async () => (await import('../commands/projects.ts')).applyCommand,
  },
  {
    name: 'validate',
    summary:
      'Check the files of a project by the rules and the actions of this package; exit code 4 if one is not valid',
    arguments: [FOLDER],
    options: [{ flags: '--remote', summary: 'check on the server, which also knows connections and stored resources' }],
    examples: ['perdure validate finance', 'perdure validate finance --remote --json'],
    operations: ['applyProject'],
    load: async () => (await import('../commands/validate.ts')).validate,
  },
  {
    name: 'types',
    summary: "Write TypeScript types of a project's inputs, questions, outputs, entities and queue items",
    arguments: [FOLDER],
    options: [
      { flags: '-o, --out <file>', summary: 'write to this file instead of stdout' },
      {
        flags: '--check',
        summary: 'write nothing; exit code 2 if the file (default perdure.d.ts) is out of date',
      },
    ],
    examples: ['perdure types finance -o perdure.d.ts', 'perdure types finance -o perdure.d.ts --check'],
    operations: [],
    load: async () => (await import('../commands/types.ts')).types,
  },
  {
    name: 'test',
    summary: 'Run the cases of tests/ on a server that skips time, or record one from a real execution',
    arguments: [FOLDER],
    options: [
      { flags: '--workflow <slug>', summary: 'only of this workflow' },
      {
        flags: '--case <name>',
        summary: 'only with this name or, if none has it, with this text in the name',
        many: true,
      },
      { flags: '--watch', summary: 'run affected cases again after each change' },
      { flags: '--junit <file>', summary: 'also write the report as JUnit XML' },
      { flags: '--record <execution>', summary: 'write a case of this execution, with secrets as ***' },
      { flags: '-o, --out <file>', summary: 'write to this file' },
    ],
    examples: [
      'perdure test finance',
      'perdure test finance --case refund --watch',
      'perdure test --record 12 -o finance/tests/refund.yaml',
    ],
    operations: [
      'getExecution',
      'getExecutionInput',
      'getExecutionOutput',
      'listExecutionSteps',
      'getExecutionStepInput',
      'getExecutionStepOutput',
      'getWorkflow',
      'getWorkflowVersion',
      'listExecutions',
    ],
    load: async () => (await import('../commands/test.ts')).test,
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of a file of the folder, for editors',
    arguments: [{ name: '<kind>', summary: `${BUNDLE_KINDS.join(', ')}, overlay, settings or tests` }],
    examples: ['perdure schema workflow > .perdure/workflow.schema.json'],
    operations: [],
    load: async () => (await import('../commands/schema.ts')).schema,
  },
];
