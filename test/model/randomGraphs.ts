import fc from 'fast-check';
import { edges, type Graph } from '../setup/workspace/graph.ts';
import type { Expected, Maker, Reaction } from './made.ts';
import { failingLoops, goodLoops, longLoops } from './randomLoops.ts';
import { effects, plainNodes, questionOf, slow, stops } from './randomNodes.ts';
import { subWorkflows } from './subWorkflows.ts';

export interface RandomGraph {
  graph: Graph;
  /** For the nodes outside loops. */
  expected: Map<string, Expected>;
  /** By node. */
  answers: Map<string, Reaction>;
}

export interface RandomGraphOptions {
  /** Adds steps that call this counting server (test/chaos/effects.ts), and slow steps. */
  effectsUrl?: string;
}

/** Every kind of node, failure, retry and question occurs. They run SUB_WORKFLOWS. */
export function randomGraphs({ effectsUrl }: RandomGraphOptions = {}): fc.Arbitrary<RandomGraph> {
  const all = [...plainNodes, goodLoops, goodLoops, failingLoops, subWorkflows];
  const usual = effectsUrl === undefined ? all : [...all, effects(effectsUrl), effects(effectsUrl), slow];
  return graphsOf(
    fc.oneof(
      { weight: 60, arbitrary: fc.oneof(...usual) },
      { weight: 2, arbitrary: stops },
      { weight: 1, arbitrary: longLoops },
    ),
  );
}

const graphsOf = (made: fc.Arbitrary<Maker>): fc.Arbitrary<RandomGraph> =>
  fc
    .array(
      fc.record({
        made,
        sources: fc.array(fc.nat(), { maxLength: 3 }),
        ways: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
      }),
      {
        minLength: 1,
        maxLength: 14,
      },
    )
    .map((specs) => {
      const nodes = specs.map((spec, index) => spec.made(`n${index}`));
      const texts = specs.flatMap(({ sources, ways }, index) => {
        const earlier = index === 0 ? [] : [...new Set(sources.map((source) => source % index))];
        return earlier.flatMap((source, which) => {
          const handles = nodes[source]?.handles ?? [];
          if (handles.length === 0) return [];
          const handle = handles[(ways[which] ?? 0) % handles.length];
          return [`n${source}${handle === undefined ? '' : `:${handle}`}>n${index}`];
        });
      });
      // A question ends by `expired` only if it has such an edge. Otherwise its step fails.
      const led = texts.map((text) => text.split('>')[0]);
      for (const each of nodes) {
        const { id, type } = each.node;
        if (type === 'input' && each.handles[0] === 'expired' && !led.includes(`${id}:expired`)) {
          Object.assign(each, { ...questionOf(id, 'wait'), handles: each.handles });
          delete each.output;
        }
      }
      return {
        graph: {
          nodes: nodes.flatMap(({ node, children = [] }) => [node, ...children]),
          edges: edges(...texts, ...nodes.flatMap(({ inside = [] }) => inside)),
        },
        expected: new Map(nodes.map(({ node, outcome, output }) => [node.id, { outcome, output }])),
        answers: new Map(nodes.flatMap(({ reactions = [] }) => reactions)),
      };
    });
