import { changesOf } from '../../../domain/bundle/changesOf.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS.versions;

export interface VersionedDefinition {
  triggerNode?: object | undefined;
  nodes?: readonly object[] | undefined;
  edges?: readonly { source: string; target: string; sourceHandle?: string | undefined }[] | undefined;
  output?: unknown;
  labels?: object | undefined;
  notes?: readonly object[] | undefined;
}

export interface DefinitionChange {
  kind: 'added' | 'removed' | 'changed';
  text: string;
  /** The old and the new value, if the text does not contain them. */
  values?: { from: Json; to: Json };
}

/** Lists the changes between two definitions. Nodes are matched by ID, edges by their ends. */
export function definitionChanges(before: VersionedDefinition, after: VersionedDefinition): DefinitionChange[] {
  const nameOf = namesOf([before, after]);
  return [
    ...partChanges(before.triggerNode ?? null, after.triggerNode ?? null, (path) =>
      words.trigger(path.replace(/^config\./, '')),
    ),
    ...nodeChanges(before, after, nameOf),
    ...edgeChanges(before, after, nameOf),
    ...partChanges(before.output ?? null, after.output ?? null, words.output),
    ...partChanges(before.labels ?? {}, after.labels ?? {}, words.labels),
    ...partChanges(before.notes ?? [], after.notes ?? [], () => words.notes),
  ];
}

type NameOf = (nodeId: string) => string;

function namesOf(definitions: readonly VersionedDefinition[]): NameOf {
  const names = new Map<string, string>();
  for (const { nodes = [] } of definitions) {
    for (const { id, name } of nodes as { id: string; name?: string }[]) names.set(id, name ?? id);
  }
  return (nodeId) => names.get(nodeId) ?? nodeId;
}

function between(before: object, after: object) {
  const plain = (value: object) => ({ value: value as JsonObject, shown: value as JsonObject });
  return changesOf(plain(before), plain(after));
}

function partChanges(before: unknown, after: unknown, textOf: (path: string) => string): DefinitionChange[] {
  const areObjects = [before, after].every((part) => isJsonObject(part as Json));
  const changes = areObjects ? between(before as object, after as object) : between({ '': before }, { '': after });
  return changes.map(({ path, from, to }) => ({
    kind: 'changed',
    text: textOf(areObjects ? path : ''),
    values: { from, to },
  }));
}

function nodeChanges(before: VersionedDefinition, after: VersionedDefinition, nameOf: NameOf): DefinitionChange[] {
  const byId = ({ nodes = [] }: VersionedDefinition) =>
    new Map((nodes as { id: string }[]).map((node) => [node.id, node] as const));
  const [was, is] = [byId(before), byId(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((id): DefinitionChange[] => {
    const [old, now] = [was.get(id), is.get(id)];
    if (old === undefined) return [{ kind: 'added', text: words.added(nameOf(id)) }];
    if (now === undefined) return [{ kind: 'removed', text: words.removed(nameOf(id)) }];
    return memberChanges(nameOf(id), old, now);
  });
}

function memberChanges(name: string, old: object, now: object): DefinitionChange[] {
  const { inputs: oldInputs = {}, ...before } = old as JsonObject;
  const { inputs = {}, ...after } = now as JsonObject;
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((member) => {
    const changes = between({ it: before[member] ?? null }, { it: after[member] ?? null });
    if (changes.length === 0) return [];
    const values = { from: before[member] ?? null, to: after[member] ?? null };
    return [{ kind: 'changed' as const, text: words.changed(name, words.members[member] ?? member), values }];
  });
  const ofInputs = between(oldInputs as object, inputs as object).map(({ path, from, to }) => ({
    kind: 'changed' as const,
    text: words.changed(name, words.inputs(path)),
    values: { from, to },
  }));
  return [...members, ...ofInputs];
}

function edgeChanges(before: VersionedDefinition, after: VersionedDefinition, nameOf: NameOf): DefinitionChange[] {
  const textsOf = ({ edges = [] }: VersionedDefinition) =>
    new Map(
      edges.map(({ source, target, sourceHandle }) => [
        JSON.stringify([source, sourceHandle ?? null, target]),
        words.edge(nameOf(source), sourceHandle, nameOf(target)),
      ]),
    );
  const [was, is] = [textsOf(before), textsOf(after)];
  const only = (some: Map<string, string>, others: Map<string, string>) =>
    [...some].flatMap(([key, text]) => (others.has(key) ? [] : [text]));
  return [
    ...only(is, was).map((text): DefinitionChange => ({ kind: 'added', text: words.edgeAdded(text) })),
    ...only(was, is).map((text): DefinitionChange => ({ kind: 'removed', text: words.edgeRemoved(text) })),
  ];
}
