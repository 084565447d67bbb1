import { describe, expect, test } from '@jest/globals';
import type { AppManifest } from '../../app/manifest.ts';
import { context } from '../graphs.fixture.ts';
import { validateDefinition } from '../validate.ts';

const CODE: AppManifest = {
  ...{ appId: 'code', name: 'Code', description: '', icon: '', categories: [], connectionTypes: [], triggers: [] },
  actions: [
    {
      ...{
        actionId: 'javascript',
        name: 'Run JavaScript',
        description: '',
        effect: 'read',
        repeatable: true,
        requiresConnection: false,
        permissions: [],
      },
      inputConfig: { fields: [{ key: 'code', label: 'Code', type: 'longText', required: true }] },
      placement: 'remote',
    },
  ],
};

function problemsOf(code: string) {
  const node = { id: 'js', type: 'action', appId: 'code', actionId: 'javascript', inputs: { code } };
  const catalogue = new Map([['code', CODE]]);
  return validateDefinition({ nodes: [node], edges: [] }, { ...context, catalogue }).problems;
}

describe('JavaScript of a step', () => {
  test.each([
    ['a return', 'return { got: input };'],
    ['await', 'const a = await Promise.resolve(1);\nreturn a;'],
    ['a comment at the end', 'return 1 // one'],
    ['newer syntax', 'return input?.a ?? [...new Set([1])].at(-1) ?? 1_000n;'],
    ['a class', 'class A { #x = 1; static { } get x() { return this.#x; } }\nreturn new A().x;'],
    ['an import that fails only when it runs', 'return await import("fs");'],
    ['nothing', '// nothing yet'],
    ['an expression, which is known later', 'return {{ trigger.n }} +'],
  ])('parses: %s', (_, code) => {
    expect(problemsOf(code)).toEqual([]);
  });

  test.each([
    ['const {qty, price = input; return 1', 1, 26],
    ['let a = 1;\nlet b = ;', 2, 9],
    ['return (1', 1, 10],
    ['if (a) {\n  return 1;\n', 3, 1],
    ['const a = 1;\nconst a = 2;', 2, 7],
    ['with (input) return 1;', 1, 1],
    ['return 1 / )', 1, 12],
  ])('%s fails at line %i, column %i', (code, line, column) => {
    expect(problemsOf(code)).toEqual([
      {
        ...{ path: 'nodes[0].inputs.code', nodeId: 'js', code: 'CODE_SYNTAX', severity: 'error', line, column },
        message: expect.stringMatching(/^the code does not parse: .+ \(line \d+, column \d+\)$/),
      },
    ]);
  });
});
