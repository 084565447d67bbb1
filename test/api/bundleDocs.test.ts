import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { answersOf, commandsOf, printedBy } from '../setup/documents/documentedCommands.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of commands
type Loose = any;

test('docs/project-as-code.md: plan and apply, as it is written', async () => {
  const commands = commandsOf(join(PROJECT_ROOT, 'docs/project-as-code.md'), 'Plan and apply with curl');
  const [plan, applied, again, exported, changed, without] = answersOf(
    await printedBy(commands, await makeWorkspace()),
  );
  const actions = ({ plan: entries }: Loose) => entries.map(({ action, slug }: Loose) => `${action} ${slug}`);
  const slugs = ['refunds', 'LIMIT', 'TOKEN', 'refund', 'tell'];
  expect([plan.applied, actions(plan)]).toEqual([false, slugs.map((slug) => `create ${slug}`)]);
  expect([applied.applied, applied.plan]).toEqual([true, plan.plan]);
  // The plan does not tell whether a secret that is given is the stored one.
  expect(actions(again)).toEqual(slugs.map((slug) => `${slug === 'TOKEN' ? 'update' : 'unchanged'} ${slug}`));
  expect(exported.resources.map(({ slug }: Loose) => slug)).toEqual(slugs);
  expect(JSON.stringify(exported)).not.toContain('a-secret-token');
  expect(changed.plan[0]).toMatchObject({ action: 'update', changes: [{ path: 'batchSize', from: 5, to: 9 }] });
  expect(actions(without)).toEqual(slugs.map((slug) => `${slug === 'TOKEN' ? 'delete' : 'unchanged'} ${slug}`));
});
