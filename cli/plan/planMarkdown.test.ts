import { expect, test } from '@jest/globals';
import type { Applied } from '../planOf.ts';
import { planMarkdown, problemsMarkdown } from './planMarkdown.ts';
import { planText } from './planText.ts';

type Entry = Applied['plan'][number];

const planned = (...plan: Partial<Entry>[]) => ({ plan, planHash: 'h', applied: false }) as unknown as Applied;
const update = (changes: object[], more: object = {}): Partial<Entry> => ({
  ...{ kind: 'workflow', slug: 'refund', action: 'update', changes: changes as Entry['changes'] },
  ...more,
});
const code = (second: string) => `const a = 1;\n${second}\nconst c = 3;\nreturn a;\n`;
const CODE = update([
  { path: 'nodes.sum.inputs.code', from: code('const b = 2;'), to: code('const b = 20;') },
  { path: 'maxConcurrent', from: 4, to: 40 },
]);

test('shows the changed lines of a long text with their context, and short values on one line', () => {
  expect(planText(planned(CODE), { hasColor: false }).split('\n')).toEqual([
    '~ workflow refund',
    '    nodes.sum.inputs.code:',
    '      @@ -1,4 +1,4 @@',
    '       const a = 1;',
    '      -const b = 2;',
    '      +const b = 20;',
    '       const c = 3;',
    '       return a;',
    '    maxConcurrent: 4 → 40',
    '0 to create, 1 to update, 0 to delete',
  ]);
});

test('compares values as YAML; a new resource has no members with their default', () => {
  const list = update([{ path: 'nodes.a.inputs.list', from: ['x', 'y'], to: ['x', 'z'] }]);
  expect(planText(planned(list), { hasColor: false })).toContain('       - x\n      -- y\n      +- z\n');
  const fresh = { kind: 'agent', slug: 'desk', action: 'create' } as const;
  const changes = Object.entries({
    temperature: null,
    tools: [],
    maxRetries: 2,
    instructions: 'a\nb',
    name: 'Desk',
  }).map(([path, to]) => ({ path, from: null, to }));
  expect(planText(planned({ ...fresh, changes }), { hasColor: false })).toBe(
    '+ agent desk\n    name: "Desk"\n    instructions:\n      +a\n      +b\n1 to create, 0 to update, 0 to delete',
  );
});

test('shows a move, a deletion and open executions as such', () => {
  const all = planned(
    update([{ path: 'slug', from: 'repay', to: 'refund' }], { movedFrom: 'repay', openExecutions: 1 }),
    { kind: 'queue', slug: 'old', action: 'delete', changes: [] },
  );
  expect(planText(all, { hasColor: false })).toBe(
    '~ workflow refund  (moved from repay)  (1 open execution stays on its version)\n- queue old\n' +
      '0 to create, 1 to update (1 moved), 1 to delete',
  );
  expect(planMarkdown(all)).toContain(
    '| update, moved from <code>repay</code> | workflow <code>refund</code> | 1 | 1 |\n' +
      '| delete | queue <code>old</code> |  |  |\n',
  );
});

test('the report has a table and a section for each resource', () => {
  expect(planMarkdown(planned())).toBe('### Perdure plan: no changes\n');
  expect(planMarkdown(planned(CODE)).split('\n')).toEqual([
    '### Perdure plan: 0 to create, 1 to update, 0 to delete',
    '',
    '| Action | Resource | Changes | Open executions |',
    '|---|---|--:|--:|',
    '| update | workflow <code>refund</code> | 2 |  |',
    '',
    '<details><summary>update workflow <code>refund</code></summary>',
    '',
    '```diff',
    '# nodes.sum.inputs.code',
    '@@ -1,4 +1,4 @@',
    ' const a = 1;',
    '-const b = 2;',
    '+const b = 20;',
    ' const c = 3;',
    ' return a;',
    '!maxConcurrent: 4 → 40',
    '```',
    '',
    '</details>',
    '',
  ]);
});

test('no value leaves its block, and no name is read as Markdown or HTML', () => {
  const evil = '```\n</details>\n# Approved @admin\n````\n\u202e\u0007';
  const report = planMarkdown(
    planned(update([{ path: 'description', from: null, to: evil }], { slug: '|</code><img src=x>`@admin' })),
  );
  const lines = report.split('\n');
  const fence = lines.findIndex((line) => line.startsWith('`````diff'));
  const end = lines.indexOf('`````', fence);
  expect(lines.slice(fence + 2, end)).toEqual(['+```', '+</details>', '+# Approved @admin', '+````', '+']);
  expect(lines.slice(end + 1)).toEqual(['', '</details>', '']);
  expect(report).not.toContain('<img');
  expect(report.match(/@admin/g)).toHaveLength(1);
  expect(problemsMarkdown([{ file: 'a.yaml', path: '', message: '```\nx' }]).split('\n')).toContain('````');
});

test('the report fits into a comment; it counts the lines and names the resources that it leaves out', () => {
  const long = Array.from({ length: 3_000 }, (_, index) => `line ${index} of the text`).join('\n');
  const many = Array.from({ length: 150 }, (_, index) =>
    update([{ path: 'description', from: null, to: long }], { slug: `w${index}` }),
  );
  const report = planMarkdown(planned(...many));
  expect(report.length).toBeLessThan(64_000);
  expect(report).toMatch(/# … \d+ more lines\n```/);
  expect(report).toContain('| | 50 more | | |');
  expect(report).toMatch(
    /The report would be too long with workflow <code>w\d+<\/code>.* and \d+ more: `perdure plan`/,
  );
});

test('a diff of two texts without common lines takes no time', () => {
  const text = (seed: number) => Array.from({ length: 20_000 }, (_, index) => `${seed} ${index}`).join('\n');
  const began = performance.now();
  const shown = planText(planned(update([{ path: 'a', from: text(1), to: text(2) }])), { hasColor: false });
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(shown.split('\n')).toHaveLength(40_003);
});
