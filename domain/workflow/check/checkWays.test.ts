import { describe, expect, test } from '@jest/globals';
import { context, definitionOf, edge, node } from '../graphs.fixture.ts';
import { validateDefinition } from '../validate.ts';
import { StepWays } from './stepWays.ts';

const decide = (id: string, condition: unknown, more: object = {}) => ({
  id,
  type: 'condition',
  inputs: { condition },
  ...more,
});
const read = (id: string, body: unknown, more: object = {}) => node(id, { inputs: { url: 'u', body }, ...more });
const stop = (id: string) => ({ id, type: 'stop', inputs: { outcome: 'completed' } });

function found(nodes: object[], edges: object[], more: object = {}) {
  return validateDefinition({ nodes, edges, ...more }, context).problems;
}

function skipped(nodes: object[], edges: object[], more: object = {}): string[] {
  return found(nodes, edges, more)
    .filter(({ code }) => code === 'STEP_MAY_BE_SKIPPED')
    .map(({ path, severity }) => `${severity} ${path}`);
}

/** `ask` runs only if `big` is true; `end` joins both branches. */
const BRANCH = [decide('big', '{{ trigger.n > 100 }}'), node('ask')];
const JOINED = [edge('big', 'ask', 'true'), edge('ask', 'end'), edge('big', 'end', 'false')];
const ERROR = ['error nodes[2].inputs.body'];

describe('a step that may be skipped', () => {
  test.each<[string, string, string[]]>([
    ['a read', '{{ steps.ask.output }}', ERROR],
    ['a read of a member', '{{ steps.ask.output.?ok.orValue(1) }}', ERROR],
    ['a read by its text', '{{ steps["ask"].output }}', ERROR],
    ['a read in a text', 'It said {{ steps.ask.output }}.', ERROR],
    ['a read next to a guard of another', '{{ has(steps.big) ? steps.ask.output : 1 }}', ERROR],
    ['a read in the wrong branch', '{{ has(steps.ask) ? 1 : steps.ask.output }}', ERROR],
    ['a guard by or', '{{ has(steps.ask) || steps.ask.output == 1 }}', ERROR],
    ['a read in a macro', '{{ [1].exists(i, steps.ask.output == i) }}', ERROR],
    ['the optional step', '{{ steps.?ask.output.orValue(null) }}', []],
    ['the optional text', '{{ steps[?"ask"].output.ok.orValue(null) }}', []],
    ['has', '{{ has(steps.ask) }}', []],
    ['has before ?', '{{ has(steps.ask) ? steps.ask.output : null }}', []],
    ['has of a member', '{{ has(steps.ask.output.ok) ? steps.ask.output.ok : null }}', []],
    ['not has before ?', '{{ !has(steps.ask) ? null : steps.ask.output }}', []],
    ['has before &&', '{{ has(steps.ask) && steps.ask.output == 1 }}', []],
    // `&&` is false if either side is.
    ['has behind &&', '{{ steps.ask.output == 1 && has(steps.ask) }}', []],
    ['not has before ||', '{{ !has(steps.ask) || steps.ask.output == 1 }}', []],
    ['in', '{{ "ask" in steps && steps.ask.output == 1 }}', []],
    ['hasValue', '{{ steps.?ask.hasValue() ? steps.ask.output : 1 }}', []],
    ['a default that the condition excludes', '{{ steps.?ask.output.n.orValue(0) > 3 && steps.ask.output.n > 4 }}', []],
    [
      'a default that the condition includes',
      '{{ steps.?ask.output.n.orValue(9) > 3 && steps.ask.output.n > 4 }}',
      ERROR,
    ],
    ['a flag with a default', '{{ steps.?ask.output.ok.orValue(false) ? steps.ask.output : 1 }}', []],
    ['a member that is not null', '{{ steps.?ask.output.ok.orValue(null) != null ? steps.ask.output.ok : 1 }}', []],
    ['the condition of the branch', '{{ trigger.n > 100 ? steps.ask.output : 1 }}', []],
    ['a stricter condition', '{{ trigger.n > 200 ? steps.ask.output : 1 }}', []],
    ['the same condition turned around', '{{ 100 < trigger.n ? steps.ask.output : 1 }}', []],
    ['its opposite', '{{ trigger.n <= 100 ? 1 : steps.ask.output }}', []],
    ['the result of the condition', '{{ steps.big.output.result ? steps.ask.output : 1 }}', []],
    ['the opposite result', '{{ steps.big.output.result ? 1 : steps.ask.output }}', ERROR],
    ['a weaker condition', '{{ trigger.n > 50 ? steps.ask.output : 1 }}', ERROR],
    ['equal to a value beyond', '{{ trigger.n == 101 ? steps.ask.output : 1 }}', []],
    ['a step that always runs', '{{ steps.big.output.result }}', []],
    ['a step that the expression chooses', '{{ steps[trigger.name].output }}', []],
  ])('%s', (_, body, expected) => {
    expect(skipped([...BRANCH, read('end', body)], JOINED)).toEqual(expected);
  });

  test('is read without alarm on the way on which it runs', () => {
    expect(
      skipped([...BRANCH, read('end', '{{ steps.ask.output }}')], [edge('big', 'ask', 'true'), edge('ask', 'end')]),
    ).toEqual([]);
  });

  test('is reported where it is read first; what waits for that reader knows that the step ran', () => {
    const nodes = [...BRANCH, read('end', '{{ steps.ask.output }}'), read('then', '{{ steps.ask.output }}')];
    expect(skipped(nodes, [...JOINED, edge('end', 'then')])).toEqual(ERROR);
  });

  test('is only a warning for a reader whose failure the author has routed', () => {
    const nodes = [...BRANCH, read('end', '{{ steps.ask.output }}', { onError: 'route' })];
    expect(skipped(nodes, JOINED)).toEqual(['warning nodes[2].inputs.body']);
  });

  test('is reported in the output of the workflow', () => {
    const output = { ok: '{{ steps.ask.output }}', maybe: '{{ steps.?ask.output.orValue(0) }}' };
    expect(skipped([...BRANCH, node('end')], JOINED, { output })).toEqual(['error output.ok']);
  });

  test('is reported behind an error route, not behind continue', () => {
    const nodes = (onError: string) => [node('a', { onError }), node('b'), read('c', '{{ steps.b.output }}')];
    const routed = [edge('a', 'b', 'error'), edge('a', 'c'), edge('b', 'c')];
    expect(skipped(nodes('route'), routed)).toEqual(ERROR);
    expect(skipped(nodes('continue'), [edge('a', 'b'), edge('b', 'c')])).toEqual([]);
  });

  test('a condition that continues after its failure takes neither branch', () => {
    const nodes = [decide('big', '{{ trigger.n > 1 }}', { onError: 'continue' }), node('a'), node('b'), node('s')];
    const edges = [
      edge('s', 'end'),
      edge('big', 'a', 'true'),
      edge('big', 'b', 'false'),
      edge('a', 'm'),
      edge('b', 'm'),
    ];
    const reader = [node('m'), read('end', '{{ steps.m.output }}')];
    expect(skipped([...nodes, ...reader], [...edges, edge('m', 'end')])).toEqual(['error nodes[5].inputs.body']);
    const certain = nodes.map((each) => ({ ...each, onError: 'fail' }));
    expect(skipped([...certain, ...reader], [...edges, edge('m', 'end')])).toEqual([]);
  });

  test('is reported on the way of an expired question; its own output is null there', () => {
    const ask = { id: 'ask', type: 'input', inputs: { fields: [], expiresInMs: 5 } };
    const nodes = [ask, node('a'), read('end', '{{ steps.a.output }}'), read('other', '{{ steps.ask.output }}')];
    const edges = [edge('ask', 'a'), edge('a', 'end'), edge('ask', 'end', 'expired'), edge('ask', 'other', 'expired')];
    expect(skipped(nodes, edges)).toEqual(ERROR);
  });

  test('ways that end in a stop node do not count', () => {
    const nodes = [...BRANCH, read('end', '{{ steps.ask.output }}'), stop('no'), node('start')];
    const edges = [edge('big', 'ask', 'true'), edge('big', 'no', 'false'), edge('ask', 'end'), edge('start', 'end')];
    expect(skipped(nodes, edges, { output: '{{ steps.ask.output }}' })).toEqual([]);
    // A stop node behind the reader comes too late.
    const late = [edge('big', 'ask', 'true'), edge('ask', 'end'), edge('start', 'end'), edge('end', 'no')];
    expect(skipped(nodes, late)).toEqual(ERROR);
  });

  test('equal decisions decide the same, in conditions and switches', () => {
    const kind = {
      id: 'kind',
      type: 'switch',
      inputs: { value: '{{ trigger.kind }}', cases: [{ name: 'r', equals: 'refund' }] },
    };
    const nodes = (condition: string) => [
      kind,
      node('ask'),
      node('join'),
      decide('again', condition),
      read('end', '{{ steps.ask.output }}'),
    ];
    const edges = [
      edge('kind', 'ask', 'r'),
      edge('kind', 'join', 'default'),
      edge('ask', 'join'),
      edge('join', 'again'),
      edge('again', 'end', 'true'),
    ];
    expect(skipped(nodes('{{ trigger.kind == "refund" }}'), edges)).toEqual([]);
    expect(skipped(nodes('{{ has(steps.ask) }}'), edges)).toEqual([]);
    expect(skipped(nodes('{{ trigger.kind == "sale" }}'), edges)).toEqual(['error nodes[4].inputs.body']);
    expect(skipped(nodes('{{ trigger.kind != "sale" }}'), edges)).toEqual(['error nodes[4].inputs.body']);
    // The time may differ between two steps.
    const later = 'now > timestamp("2026-01-01T00:00:00Z")';
    const timed = [decide('kind', `{{ ${later} }}`), ...nodes(`{{ ${later} }}`).slice(1)];
    const ways = [edge('kind', 'ask', 'true'), edge('kind', 'join', 'false'), ...edges.slice(2)];
    expect(skipped(timed, ways)).toEqual(['error nodes[4].inputs.body']);
  });

  test('a later case is evaluated only if the earlier ones are false', () => {
    const cases = (when: string[]) => when.map((each, index) => ({ name: `c${index}`, when: `{{ ${each} }}` }));
    const pick = (...when: string[]) => ({ id: 'end', type: 'switch', inputs: { cases: cases(when) } });
    expect(skipped([...BRANCH, pick('!has(steps.ask)', 'steps.ask.output == 1')], JOINED)).toEqual([]);
    expect(skipped([...BRANCH, pick('trigger.x', 'steps.ask.output == 1')], JOINED)).toEqual([
      'error nodes[2].inputs.cases[1].when',
    ]);
  });

  test('inside a loop, of the loop and of the steps before it', () => {
    const each = { id: 'each', type: 'forEach', inputs: { items: [1, 2] } };
    const inner = [
      decide('odd', '{{ loop.item == 1 }}', { parentId: 'each' }),
      node('work', { parentId: 'each' }),
      read('note', '{{ [steps.work.output, steps.?ask.output.orValue(1)] }}', { parentId: 'each' }),
    ];
    const edges = [edge('odd', 'work', 'true'), edge('work', 'note'), edge('odd', 'note', 'false')];
    expect(
      skipped(
        [each, ...inner, ...BRANCH],
        [...edges, edge('big', 'ask', 'true'), edge('ask', 'each'), edge('big', 'each', 'false')],
      ),
    ).toEqual(['error nodes[3].inputs.body']);
    const outer = read('note', '{{ steps.ask.output }}', { parentId: 'each' });
    const around = [edge('big', 'ask', 'true'), edge('ask', 'each'), edge('big', 'each', 'false')];
    expect(skipped([each, ...BRANCH, outer], around)).toEqual(['error nodes[3].inputs.body']);
    expect(skipped([each, ...BRANCH, outer], around.slice(0, 2))).toEqual([]);
  });

  test('in the conditions of a repeat: `until` sees an iteration, the first `while` none', () => {
    const repeat = (inputs: object) => ({ id: 'each', type: 'repeat', inputs });
    const inner = [decide('odd', '{{ trigger.x }}', { parentId: 'each' }), node('work', { parentId: 'each' })];
    const edges = [edge('odd', 'work', 'true')];
    expect(skipped([repeat({ until: '{{ steps.odd.output.result }}' }), ...inner], edges)).toEqual([]);
    expect(skipped([repeat({ until: '{{ steps.work.output }}' }), ...inner], edges)).toEqual([
      'error nodes[0].inputs.until',
    ]);
    expect(skipped([repeat({ while: '{{ steps.odd.output.result }}' }), ...inner], edges)).toEqual([
      'error nodes[0].inputs.while',
    ]);
    expect(skipped([repeat({ while: '{{ loop.index == 0 || steps.odd.output.result }}' }), ...inner], edges)).toEqual(
      [],
    );
  });
});

describe('the fix of a read', () => {
  const fixed = (body: string) =>
    found([...BRANCH, read('end', body)], JOINED).flatMap(
      ({ fix }) => fix?.edits.map(({ value }) => value) ?? ['none'],
    );

  test.each([
    ['{{ steps.ask.output.ok }}', '{{ steps.?ask.output.ok.orValue(null) }}'],
    ['a {{ steps["ask"].output }} b {{ 1 }}', 'a {{ steps[?"ask"].output.orValue(null) }} b {{ 1 }}'],
    [
      '{{ steps.ask.output == 1 || !steps.ask.output.no }}',
      '{{ steps.?ask.output.orValue(null) == 1 || !steps.?ask.output.no.orValue(false) }}',
    ],
    ['{{ {"a": steps.ask.output} }}', '{{ {"a": steps.?ask.output.orValue(null)} }}'],
    ['{{ steps.ask.output + 1 }}', 'none'],
    ['{{ steps.ask.output.upper() }}', 'none'],
  ])('%s', (body, expected) => {
    expect(fixed(body)).toEqual([expected]);
    if (expected !== 'none') expect(skipped([...BRANCH, read('end', expected)], JOINED)).toEqual([]);
  });
});

describe('a place that no way reaches is a warning', () => {
  const unreached = (nodes: object[], edges: object[]) =>
    found(nodes, edges)
      .filter(({ code }) => code === 'NEVER_REACHED')
      .map(({ path, severity, message }) => `${severity} ${path}: ${message}`);

  test('a constant condition, and the first node behind it', () => {
    const nodes = [decide('c', false), node('a'), node('b')];
    expect(unreached(nodes, [edge('c', 'a', 'true'), edge('a', 'b')])).toEqual([
      'warning nodes[0].inputs.condition: is always false here',
      'warning nodes[1]: no execution comes to this node',
    ]);
  });

  test('a condition that the way to it has decided', () => {
    const nodes = [decide('c', '{{ trigger.n > 10 }}'), decide('d', '{{ trigger.n > 5 }}')];
    expect(unreached(nodes, [edge('c', 'd', 'true')])).toEqual([
      'warning nodes[1].inputs.condition: is always true here',
    ]);
    expect(unreached(nodes, [edge('c', 'd', 'false')])).toEqual([]);
  });

  test('a case behind an equal one, an expired way without a time, an empty loop', () => {
    const cases = [
      { name: 'a', equals: 'x' },
      { name: 'b', equals: 'x' },
    ];
    const nodes = [
      { id: 's', type: 'switch', inputs: { value: '{{ trigger.x }}', cases } },
      { id: 'i', type: 'input', inputs: { fields: [] } },
      { id: 'l', type: 'forEach', inputs: { items: [] } },
      node('in', { parentId: 'l' }),
      node('e'),
    ];
    expect(unreached(nodes, [edge('i', 'e', 'expired')])).toEqual([
      'warning nodes[0].inputs.cases[1]: no execution takes the case b',
      'warning nodes[1].inputs.expiresInMs: is missing, so the way expired is never taken',
      'warning nodes[3]: no execution comes to this node',
      'warning nodes[4]: no execution comes to this node',
    ]);
  });
});

test('200 nodes with 50 decisions need a small part of the diagram', () => {
  const nodes: object[] = [];
  const edges: object[] = [];
  for (let index = 0; index < 50; index += 1) {
    const [c, yes, join, end] = ['c', 'y', 'j', 'e'].map((name) => `${name}${index}`) as [
      string,
      string,
      string,
      string,
    ];
    nodes.push(decide(c, `{{ trigger.v${index} > ${index} }}`), node(yes), node(join));
    nodes.push(read(end, `{{ steps.?${yes}.output.orValue(steps.${join}.output) }}`));
    edges.push(edge(c, yes, 'true'), edge(c, join, 'false'), edge(yes, join), edge(join, end));
    if (index > 0) edges.push(edge(`e${index - 1}`, c));
  }
  expect(skipped(nodes, edges)).toEqual([]);
  const ways = new StepWays({ output: undefined, ...definitionOf({ nodes, edges }) }, ({ id }) => id);
  expect(ways.formulas.size).toBeLessThan(2_000);
});
