import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { COMMANDS, GLOBAL_OPTIONS, GROUPS } from '../../cli/commands.ts';
import { runProgram } from '../../cli/program.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { commandsOf } from './shellWords.ts';

const read = (name: string) => parse(readFileSync(join(PROJECT_ROOT, 'examples/ci', name), 'utf8'));

interface Job {
  if?: string;
  rules?: { if: string }[];
  env?: Record<string, string>;
  steps?: { run?: string; uses?: string }[];
  script?: string[];
}

const github = read('github-actions.yml') as { on: object; jobs: Record<string, Job> };
const gitlab = read('gitlab-ci.yml') as Record<string, Job> & { stages: string[] };

const scriptsOf = ({ steps = [], script = [] }: Job) => [...steps.flatMap(({ run }) => run ?? []), ...script];
const perdureIn = (job: Job | undefined) =>
  scriptsOf(job as Job)
    .flatMap((text) => text.split('\n').flatMap(commandsOf))
    .flatMap(([first, ...words]) => (first === 'perdure' ? [words] : []));

const PIPELINES = [
  ['GitHub Actions', github.jobs],
  ['GitLab', Object.fromEntries(gitlab.stages.map((name) => [name, gitlab[name] as Job]))],
] as const;

test.each(PIPELINES)('%s validates, tests, plans and applies, with commands that exist', async (_, jobs) => {
  expect(Object.keys(jobs)).toEqual(['check', 'plan', 'apply']);
  const words = Object.values(jobs).map((job) => perdureIn(job).map(([name]) => name));
  expect(words).toEqual([
    ['validate', 'test'],
    ['login', 'plan'],
    ['login', 'apply'],
  ]);
  const silent = COMMANDS.map((command) => ({ ...command, load: async () => async () => 0 }));
  for (const command of Object.values(jobs).flatMap(perdureIn))
    expect([command, await runProgram(command, silent, GROUPS, GLOBAL_OPTIONS)]).toEqual([command, 0]);
});

test.each(PIPELINES)('%s checks without a secret, and applies on the default branch only', (_, jobs) => {
  expect(JSON.stringify(jobs.check)).not.toMatch(/secrets\.|API_KEY|BANK_URL|login/);
  const { rules, if: condition } = jobs.apply as Job;
  expect(condition ?? rules).toEqual(
    condition === undefined ? [{ if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }] : "github.event_name == 'push'",
  );
});
