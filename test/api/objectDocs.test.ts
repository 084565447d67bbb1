import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { answersOf, commandsOf, printedBy } from '../setup/documents/documentedCommands.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const SECTIONS = ['Define a type', 'Create and move an entity', 'Find entities', 'Import and export entities'];

test('docs/objects.md: from the type to the export, as it is written', async () => {
  const commands = SECTIONS.map((section) => commandsOf(join(PROJECT_ROOT, 'docs/objects.md'), section)).join('\n');
  const answers = answersOf(await printedBy(commands, await makeWorkspace()));
  const [type, updated, transitions, moved, history, deleted, restored, found, ofAnn, template, imported, rows] =
    answers;
  expect(type).toMatchObject({ slug: 'order', created: true });
  expect(updated).toMatchObject({ name: 'Order 1042', state: 'draft' });
  expect(transitions).toMatchObject({ currentState: 'draft', transitions: [{ to: 'approved' }, { to: 'cancelled' }] });
  expect(moved.state).toBe('approved');
  expect(history).toMatchObject([{ from: 'draft', to: 'approved' }]);
  expect(deleted).toBe(true);
  expect(restored).toMatchObject({ id: updated.id, state: 'approved' });
  expect(found.items).toMatchObject([{ id: updated.id }]);
  expect(ofAnn.items).toEqual([]);
  expect(template.headers[0]).toBe('name');
  expect(imported).toEqual({ total: 1, created: 1, updated: 0, failed: 0, errors: [] });
  expect(rows.map(({ total }: { total: number }) => total)).toEqual([99.5, 120]);
});
