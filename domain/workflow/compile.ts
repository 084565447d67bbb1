import { type CustomApp, isCustomApp } from '../app/customApp.ts';
import { type ActionManifest, type AppManifest, type Catalogue, findAction } from '../app/manifest.ts';
import { type CompiledValue, compileValue } from '../expression/compiledValue.ts';
import { type References, unionOfReferences } from '../expression/references.ts';
import type { Json } from '../json.ts';

import type { Definition, Node, TriggerNode } from './definition.ts';
import { duplicateKeyTemplate } from './duplicateKey.ts';

import { type NamedWorkflow, namedWorkflows } from './namedWorkflows.ts';
import { memberIfPresent } from './nodeShape.ts';
import type { Plan } from './plan.ts';
import { planOf } from './planOf.ts';
import { mayAskAnyone } from './submitters.ts';

/** The compiled form of a definition for the engine and its activities; cached per version. */
export interface CompiledDefinition {
  plan: Plan;
  nodes: ReadonlyMap<string, CompiledNode>;
  output?: CompiledValue;
  variables: { names: string[] } | 'all';
  trigger: TriggerNode;
  calls: readonly NamedWorkflow[];
  linked: readonly Node[];
  /** True if somebody who only knows the execution's id may answer a question; so strangers must not learn the id. */
  asksAnyone: boolean;
  /** True if the starter matters: the workflow asks questions, or starts executions that may ask. */
  needsStarter: boolean;
  duplicateKey?: CompiledValue;
  labels?: ReadonlyMap<string, CompiledValue>;
}

export interface CompiledNode {
  node: Node;
  /** All inputs. Evaluating a switch this way evaluates every case, which decideSwitch avoids. */
  inputs: CompiledValue;
  references: References;
  now: boolean;
  action?: ActionManifest;
  /** The app if it is one of the workspace. */
  customApp?: CustomApp;
  icon?: string;
  /** For a repeat: conditions that are evaluated around its iterations, separately from the other inputs. */
  repeat?: { while?: CompiledValue; until?: CompiledValue };
  condition?: CompiledValue;
  switch?: CompiledSwitch;
}

export type CompiledCase =
  | { name: string; when: CompiledValue; source: Json }
  | { name: string; equals: CompiledValue };

export interface CompiledSwitch {
  value?: CompiledValue;
  cases: CompiledCase[];
}

export function compileDefinition(definition: Definition, catalogue: Catalogue): CompiledDefinition {
  const { nodes, trigger } = definition;
  const compiled = new Map(nodes.map((node) => [node.id, compileNode(node, catalogue)]));
  const output = definition.output === undefined ? undefined : compileValue(definition.output);
  const references = [...compiled.values()].flatMap(({ references: own, repeat }) =>
    [own, repeat?.while?.references, repeat?.until?.references].filter((one) => one !== undefined),
  );
  if (output !== undefined) references.push(output.references);
  const { links } = unionOfReferences(references);
  return {
    plan: planOf(definition, catalogue),
    nodes: compiled,
    ...memberIfPresent('output', output),
    variables: variablesOf(references),
    trigger,
    calls: namedWorkflows(nodes),
    linked: nodes.filter(({ id }) => links.has(id)),
    asksAnyone: nodes.some(mayAskAnyone),
    needsStarter: [...compiled.values()].some(({ node, action }) => passesStarter(node, action)),
    ...memberIfPresent('duplicateKey', compileDuplicateKey(trigger)),
    ...memberIfPresent('labels', compileLabels(definition)),
  };
}

function passesStarter({ type }: Node, action: ActionManifest | undefined): boolean {
  return type === 'input' || type === 'runWorkflow' || action?.placement === 'child';
}

function compileDuplicateKey({ type, config }: TriggerNode): CompiledValue | undefined {
  if (type !== 'webhook' || config.duplicates === undefined) return undefined;
  return compileValue(duplicateKeyTemplate(config.duplicates.key));
}

function compileLabels({ labels }: Definition): CompiledDefinition['labels'] {
  return labels && new Map(Object.entries(labels).map(([key, text]) => [key, compileValue(text)]));
}

function variablesOf(references: References[]): CompiledDefinition['variables'] {
  const { allVariables, variables } = unionOfReferences(references);
  return allVariables ? 'all' : { names: [...variables].sort() };
}

export function compileNode(node: Node, catalogue: Catalogue): CompiledNode {
  const { appId, actionId } = node;
  const app = appId === undefined ? undefined : catalogue.get(appId);
  const action = appId === undefined || actionId === undefined ? undefined : findAction(catalogue, appId, actionId);
  const { while: before, until: after, ...rest } = node.type === 'repeat' ? (node.inputs ?? {}) : {};
  const inputs = compileValue(node.type === 'repeat' ? rest : (node.inputs ?? {}));
  const repeat = node.type === 'repeat' ? repeatOf(before, after) : undefined;
  const evaluated = [inputs, repeat?.while, repeat?.until];
  return {
    node,
    inputs,
    references: inputs.references,
    now: evaluated.some((one) => one?.references.now === true),
    ...memberIfPresent('action', action),
    ...(isCustomApp(app) ? { customApp: app } : {}),
    ...memberIfPresent('icon', iconOf(app, action)),
    ...memberIfPresent('repeat', repeat),
    ...(node.type === 'condition' ? { condition: compileValue(node.inputs?.condition ?? null) } : {}),
    ...(node.type === 'switch' ? { switch: compileSwitch(node) } : {}),
  };
}

function repeatOf(before: Json | undefined, after: Json | undefined): CompiledNode['repeat'] {
  return { ...memberIfPresent('while', compiledOr(before)), ...memberIfPresent('until', compiledOr(after)) };
}

function compiledOr(value: Json | undefined): CompiledValue | undefined {
  return value === undefined || value === null ? undefined : compileValue(value);
}

function iconOf(app: AppManifest | undefined, action: ActionManifest | undefined): string | undefined {
  return action === undefined ? undefined : (action.icon ?? app?.icon);
}

function compileSwitch(node: Node): CompiledSwitch {
  const { value, cases } = node.inputs as { value?: Json; cases: { name: string; when?: Json; equals?: Json }[] };
  return {
    ...(value === undefined ? {} : { value: compileValue(value) }),
    cases: cases.map(({ name, when, equals }) =>
      value === undefined
        ? { name, when: compileValue(when as Json), source: when as Json }
        : { name, equals: compileValue(equals as Json) },
    ),
  };
}
