import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { templatesOf } from './templatesOf.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const files = Object.fromEntries(
  readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(yaml|md)$/.test(file) && !file.startsWith('ci/'))
    .map((file) => [`../../../examples/${file}`, readFileSync(join(EXAMPLES, file), 'utf8')]),
);
const templates = templatesOf(files);

test('every example folder is a template with a title, a description and a workflow', () => {
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter(
    (each) => each.isDirectory() && each.name !== 'ci' && readdirSync(join(EXAMPLES, each.name)).includes('workflows'),
  );
  expect(templates.map(({ name }) => name).sort()).toEqual(folders.map(({ name }) => name).sort());
  for (const { title, description, workflow } of templates) {
    expect([title, description].every((text) => text.length > 0)).toBe(true);
    expect(Array.isArray(workflow.fields.nodes)).toBe(true);
  }
});

test('a template has the first workflow of its example, its queues and types, and a sample that visits the most steps', () => {
  const of = (name: string) => templates.find((each) => each.name === name);
  const slugs = (resources: readonly { slug: string }[] = []) => resources.map(({ slug }) => slug);
  expect(of('order-approval')).toMatchObject({
    title: 'Approve an order',
    workflow: { slug: 'example-order-approval' },
    queues: [],
    sample: { body: { customer: 'Ada', total: 1001 } },
  });
  const desk = of('order-desk');
  expect([desk?.workflow.slug, slugs(desk?.queues), slugs(desk?.objectTypes)]).toEqual([
    'example-order-desk',
    ['orders', 'orders-to-review'],
    ['desk-order'],
  ]);
  expect(slugs(of('agent-in-workflow')?.agents)).toEqual(['example-triage']);
  expect(slugs(of('support-agent')?.agents)).toEqual([]);
});
