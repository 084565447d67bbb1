import type { JsonObject } from '../../../domain/json.ts';
import type { Edge, Node, TriggerNode } from '../../../domain/workflow/definition.ts';

/** Body of an upsert: a full graph without its slug. */
export interface Graph {
  labels?: Record<string, string>;
  trigger?: TriggerNode;
  nodes: Node[];
  edges?: Edge[];
  output?: unknown;
  name?: string;
  isActive?: boolean;
  timeoutMs?: number | null;
  onFailureWorkflowId?: string | null;
  maxConcurrent?: number | null;
  isInternal?: boolean;
  managedByCode?: boolean;
}

type NodeMembers = Omit<Node, 'id' | 'type' | 'inputs'>;

export function action(id: string, what: string, inputs: JsonObject = {}, more: Partial<NodeMembers> = {}): Node {
  const [appId = '', actionId = ''] = what.split('.');
  return { id, type: 'action', appId, actionId, inputs, ...more };
}

export function control(
  id: string,
  type: Exclude<Node['type'], 'action'>,
  inputs: JsonObject = {},
  more: Partial<NodeMembers> = {},
): Node {
  return { id, type, inputs, ...more };
}

/** `edges('trigger>a', 'a:true>b')`: from a to b by the handle `true`. */
export function edges(...texts: string[]): Edge[] {
  return texts.map((text, index) => {
    const [from = '', target = ''] = text.split('>');
    const [source = '', handle] = from.split(':');
    return { id: `e${index}`, source, target, ...(handle === undefined ? {} : { sourceHandle: handle }) };
  });
}

/** `chain('a', 'b', 'c')` connects a to b and b to c. */
export function chain(...ids: string[]): Edge[] {
  return edges(...ids.slice(1).map((id, index) => `${ids[index]}>${id}`));
}

export function manual(...fields: object[]): TriggerNode {
  return { id: 'trigger', type: 'manual', config: { fields } } as unknown as TriggerNode;
}

export function webhook(config: object = {}): TriggerNode {
  return { id: 'trigger', type: 'webhook', config } as TriggerNode;
}

export function schedule(config: object): TriggerNode {
  return { id: 'trigger', type: 'schedule', config } as TriggerNode;
}

/** Creates a question with one required text unless other fields are given. */
export function question(id: string, inputs: JsonObject = {}, more: Partial<NodeMembers> = {}): Node {
  const fields = [{ key: 'answer', label: 'Answer', type: 'text', required: true }];
  return control(id, 'input', { fields, ...inputs }, more);
}
