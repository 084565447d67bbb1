import type { Definition, Node } from '../workflow/definition.ts';
import type { CaseFile } from './caseFile.ts';
import { type CasePlace, casePlace } from './casePlace.ts';
import { checkProblem } from './checks.ts';

export type Graphs = ReadonlyMap<string, Pick<Definition, 'nodes'>>;

/** Returns names that the folder does not have, with their places: `cases[0].mocks.pay: …`. */
export function caseProblems({ workflow, cases }: CaseFile, graphs: Graphs): string[] {
  if (!graphs.has(workflow)) {
    return [`workflow: there is no workflows/${workflow}.yaml; there are ${listed([...graphs.keys()])}`];
  }
  return cases.flatMap((one, index) => {
    const at = `cases[${index}]`;
    const { mocks = {}, events = [], expect } = one;
    return [
      ...Object.keys(mocks).flatMap((text) => called(graphs, workflow, `${at}.mocks.${text}`, text)),
      ...events.flatMap((event, number) => asked(graphs, workflow, `${at}.events[${number}].at`, event)),
      ...Object.keys(expect.calls ?? {}).flatMap((text) =>
        called(graphs, workflow, `${at}.expect.calls.${text}`, text),
      ),
      ...(expect.path ?? []).flatMap((id, number) => ofPath(graphs, workflow, `${at}.expect.path[${number}]`, id)),
      ...(expect.checks ?? []).flatMap((check, number) => {
        const problem = checkProblem(check);
        return problem === undefined ? [] : [`${at}.expect.checks[${number}]: ${problem}`];
      }),
    ];
  });
}

function nodesOf(graphs: Graphs, own: string, { workflow, nodeId }: CasePlace): Node[] {
  const ofOne = (slug: string) => graphs.get(slug)?.nodes.filter(({ id }) => id === nodeId) ?? [];
  if (workflow !== undefined) return ofOne(workflow);
  const inOwn = ofOne(own);
  return inOwn.length > 0 ? inOwn : [...graphs.keys()].flatMap(ofOne);
}

function found(graphs: Graphs, own: string, at: string, text: string): { nodes: Node[]; problems: string[] } {
  const place = casePlace(text);
  const nodes = place ? nodesOf(graphs, own, place) : [];
  if (nodes.length > 0) return { nodes, problems: [] };
  const ids = graphs.get(place?.workflow ?? own)?.nodes.map(({ id }) => id) ?? [];
  return { nodes, problems: [`${at}: there is no node ${text}; there are ${listed(ids)}`] };
}

function called(graphs: Graphs, own: string, at: string, text: string): string[] {
  const { nodes, problems } = found(graphs, own, at, text);
  if (problems.length > 0 || nodes.some(({ type }) => type === 'action' || type === 'runWorkflow')) return problems;
  return [`${at}: ${text} is a node of type ${nodes[0]?.type}; actions and runWorkflow nodes are called`];
}

function asked(
  graphs: Graphs,
  own: string,
  at: string,
  { at: text, answer }: { at?: string; answer?: unknown },
): string[] {
  if (text === undefined) return [];
  const { nodes, problems } = found(graphs, own, at, text);
  if (problems.length > 0 || nodes.some(({ type }) => type === 'input')) return problems;
  const what = answer === undefined ? 'an event waits for a question' : 'a question (input) is answered';
  return [`${at}: ${text} is a node of type ${nodes[0]?.type}; ${what}`];
}

function ofPath(graphs: Graphs, own: string, at: string, id: string): string[] {
  const node = graphs.get(own)?.nodes.find((each) => each.id === id);
  if (!node) return [`${at}: there is no node ${id}`];
  return node.parentId === undefined
    ? []
    : [`${at}: ${id} stands in the loop ${node.parentId}: a path has no steps of loops`];
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
