// biome-ignore-all lint/suspicious/noExplicitAny: values of any shape are changed
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import type { Json } from '../domain/json.ts';
import { editedYaml } from './editYaml.ts';
import { fileEdits } from './fileEdits.ts';

const pulled = (text: string, server: Json, stays: string[] = []) => {
  const file = parse(text) as Json;
  const edits = fileEdits({ file, fileMeans: file, server, serverMeans: server }, (path) =>
    stays.includes(path.join('.')),
  );
  return editedYaml(text, edits);
};

const FILE = `# Asked by finance
name: 'Expense' # as in the handbook
trigger: {id: trigger, type: manual}   # by hand

nodes:
  # The only question
  - id: ask
    type: input
    inputs: { title: "Pay?", fields: [{key: ok, type: boolean}] }
  - { id: note, type: action, appId: core, actionId: set, inputs: {values: {n: 1}} }
code: |
  one
  two
limit: 100
`;

test.each<[string, (value: Record<string, any>) => void, [string, string]]>([
  ['a number', (value) => (value.limit = 250), ['limit: 100', 'limit: 250']],
  ['a quoted text', (value) => (value.name = "It's"), ["'Expense'", "'It''s'"]],
  ['a text amid braces', (value) => (value.nodes[0].inputs.title = 'a, {b}'), ['"Pay?"', '"a, {b}"']],
  ['a number amid braces', (value) => (value.nodes[1].inputs.values.n = 'x, y'), ['n: 1', 'n: "x, y"']],
  ['a new member', (value) => (value.isActive = false), ['limit: 100\n', 'limit: 100\nisActive: false\n']],
  [
    'a new member of an entry',
    (value) => (value.nodes[0].onError = 'stop'),
    ['boolean}] }\n', 'boolean}] }\n    onError: stop\n'],
  ],
  ['a member that goes', (value) => delete value.limit, ['limit: 100\n', '']],
  ['lines', (value) => (value.code = 'one\nthree\n'), ['  two\n', '  three\n']],
])('%s is changed in place, and every other byte stays the same', (_, change, [from, to]) => {
  const value = parse(FILE);
  change(value);
  expect(pulled(FILE, value)).toBe(FILE.replace(from, () => to));
});

test('added, removed and moved entries keep the comments of the others', () => {
  const value = parse(FILE);
  value.nodes = [{ id: 'new', type: 'stop' }, value.nodes[0]];
  const text = pulled(FILE, value);
  expect(parse(text)).toEqual(value);
  for (const comment of ['# Asked by finance', '# as in the handbook', '# by hand', '# The only question'])
    expect(text).toContain(comment);
});

test('a text that is to stay does, and a file without a last line break takes a new member', () => {
  expect(pulled('a: 1\nb: ref', { a: 1, b: 'x', c: 2 }, ['b'])).toBe('a: 1\nb: ref\nc: 2\n');
});

const key = fc.constantFrom('a', 'b', 'c', 'id', 'key');
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(null, true, 0, 1.5, 'x', 'a, b', '# x', 'yes', '- a', 'one\ntwo\n', 'x: y', '', ' '),
    fc.string(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const fields = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true });

test('any file contains the values of the server after an edit', () => {
  fc.assert(
    fc.property(fields, fields, fc.constantFrom('BLOCK', 'FLOW'), (file, server, style) => {
      const text = style === 'FLOW' ? `${JSON.stringify(file)}\n` : stringify(file);
      expect(parse(pulled(text, server as Json))).toEqual(JSON.parse(JSON.stringify(server)));
    }),
    { numRuns: 3000 },
  );
});
