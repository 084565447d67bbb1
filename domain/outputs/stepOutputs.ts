import { type Catalogue, findAction } from '../app/manifest.ts';
import { isJsonObject, type Json } from '../json.ts';
import { type Definition, keepsOutputs, type Node, type TriggerNode } from '../workflow/definition.ts';
import { topologicalOrder } from '../workflow/graph.ts';
import { caseNames } from '../workflow/handles.ts';
import type { Names } from './expressionSchema.ts';
import { fieldSchemas } from './fieldsSchema.ts';
import { templateSchema } from './templateSchema.ts';
import {
  bounded,
  elementOf,
  FLAG,
  listOf,
  literalSchema,
  NULL,
  NUMBER,
  objectOf,
  oneOf,
  TEXT,
  TIME,
  UNKNOWN,
  type ValueSchema,
} from './valueSchema.ts';

export interface StepSources {
  catalogue: Catalogue;
  outputOf(by: 'slug' | 'workflowId', name: string): ValueSchema;
  iterationOf(loopId: string): ValueSchema;
}

/** Computes what is known about the outputs of completed steps. The definition must come from validateDefinition. */
export class StepOutputs {
  readonly #definition: Definition;
  readonly #sources: StepSources;
  readonly #nodes: ReadonlyMap<string, Node>;
  readonly #known = new Map<string, ValueSchema>();
  /** Detects circles, through which nothing is known. */
  readonly #open = new Set<string>();

  constructor(definition: Definition, sources: StepSources) {
    this.#definition = definition;
    this.#sources = sources;
    this.#nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  }

  /** Uses the order of the edges to keep the recursion shallow. */
  learnAll(): void {
    const { nodes, edges } = this.#definition;
    for (const id of topologicalOrder([...this.#nodes.keys()], edges)) this.of(id);
    for (const { id } of nodes) this.of(id);
  }

  /** Returns the output of a step that completed by its default handle. */
  of(id: string): ValueSchema {
    const known = this.#known.get(id);
    if (known) return known;
    const node = this.#nodes.get(id);
    if (!node || this.#open.has(id)) return UNKNOWN;
    this.#open.add(id);
    const schema = bounded(this.#outputOf(node));
    this.#open.delete(id);
    this.#known.set(id, schema);
    return schema;
  }

  /** Returns the output that expressions read: null after an ignored failure or an expired question. */
  read(id: string): ValueSchema {
    const node = this.#nodes.get(id);
    return node && this.#mayBeNull(node) ? oneOf([this.of(id), NULL]) : this.of(id);
  }

  namesIn(node?: Node): Names {
    const loop = node?.parentId;
    return {
      root: (name) => this.#root(name, loop),
      step: (id) => this.read(id),
      loop: (id) => this.#loopSchema(id),
    };
  }

  #mayBeNull({ id, type, onError = 'fail' }: Node): boolean {
    if (onError !== 'fail') return true;
    const leaves = ({ source, sourceHandle }: Definition['edges'][number]) =>
      source === id && sourceHandle === 'expired';
    return type === 'input' && this.#definition.edges.some(leaves);
  }

  #root(name: string, loop: string | undefined): ValueSchema {
    if (name === 'trigger') return triggerSchema(this.#definition.trigger);
    if (name === 'now') return TIME;
    if (name === 'loop' && loop !== undefined) return this.#loopSchema(loop);
    return name === 'execution' ? EXECUTION : UNKNOWN;
  }

  #loopSchema(id: string): ValueSchema {
    const node = this.#nodes.get(id);
    const items = node?.type === 'forEach' ? templateSchema(node.inputs?.items ?? null, this.namesIn(node)) : UNKNOWN;
    return objectOf({ item: elementOf(items), index: NUMBER, total: NUMBER });
  }

  #outputOf(node: Node): ValueSchema {
    const { id, type, inputs = {} } = node;
    switch (type) {
      case 'action':
        return this.#actionOutput(node);
      case 'condition':
        return objectOf({ result: FLAG });
      case 'switch':
        return objectOf({ case: Array.isArray(inputs.cases) ? namesSchema(caseNames(node)) : TEXT });
      case 'delay':
        return objectOf({ resumedAt: TEXT });
      case 'input':
        return answerSchema(inputs);
      case 'forEach':
      case 'repeat':
        return keepsOutputs(node) ? listOf(this.#iteration(id, inputs)) : COUNTS;
      case 'runWorkflow':
        return this.#workflowOutput(inputs);
      case 'respond':
        return this.#answerSent(node);
      case 'stop':
        return templateSchema(inputs.output ?? null, this.namesIn(node));
    }
  }

  #actionOutput(node: Node): ValueSchema {
    const { appId = '', actionId = '', inputs = {} } = node;
    const given = GIVEN_BACK[`${appId}.${actionId}`];
    const value = given === undefined ? undefined : inputs[given];
    // A text may be parsed as JSON.
    if (value !== undefined && (typeof value !== 'string' || value.startsWith('{{'))) {
      return templateSchema(value, this.namesIn(node));
    }
    return findAction(this.#sources.catalogue, appId, actionId)?.outputSchema ?? UNKNOWN;
  }

  #iteration(id: string, { onItemError }: Record<string, Json>): ValueSchema {
    const output = this.#sources.iterationOf(id);
    const continues = onItemError !== undefined && onItemError !== null && onItemError !== 'stop';
    return continues ? oneOf([output, ITEM_ERROR]) : output;
  }

  #workflowOutput({ wait = true, slug, workflowId }: Record<string, Json>): ValueSchema {
    if (wait === false) return objectOf({ executionId: TEXT });
    const by = workflowId === undefined || workflowId === null ? 'slug' : 'workflowId';
    const name = by === 'slug' ? slug : workflowId;
    const isKnown = (wait === true || wait === null) && typeof name === 'string' && !name.includes('{{');
    return isKnown ? this.#sources.outputOf(by, name) : UNKNOWN;
  }

  #answerSent(node: Node): ValueSchema {
    const { body = null } = node.inputs ?? {};
    const headers: ValueSchema = { type: 'object', additionalProperties: TEXT };
    return objectOf({ status: NUMBER, headers, body: templateSchema(body, this.namesIn(node)) });
  }
}

const GIVEN_BACK: Readonly<Record<string, string>> = {
  'core.set': 'values',
  'core.transform': 'value',
  'testing.succeed': 'output',
};

const EXECUTION = objectOf({ id: TEXT, number: NUMBER, startedAt: TEXT, workflowId: TEXT, workflowName: TEXT });
/** The output of a loop with keepOutputs: false. */
const COUNTS = objectOf({ total: NUMBER, completed: NUMBER, failed: NUMBER });
const ITEM_ERROR = objectOf({ error: objectOf({ code: TEXT, message: TEXT }) });

function namesSchema(cases: readonly string[]): ValueSchema {
  return oneOf([...cases.filter((name) => !name.includes('{{')), 'default'].map(literalSchema));
}

function answerSchema({ fields, approvals }: Record<string, Json>): ValueSchema {
  const values = fieldSchemas(fields);
  if (values === undefined) return { type: 'object' };
  const isOne = approvals === undefined || approvals === null || approvals === 1;
  const submissions = { submissions: listOf({ type: 'object' }) };
  const properties = { ...values, submittedAt: TEXT, ...(isOne ? {} : submissions) };
  return { type: 'object', properties, required: [...Object.keys(values), 'submittedAt'] };
}

function triggerSchema({ type, config }: TriggerNode): ValueSchema {
  switch (type) {
    case 'manual': {
      const fields = (config.fields ?? []) as unknown as Json;
      const properties = fieldSchemas(fields) ?? {};
      return { type: 'object', properties, required: presentIn(fields) };
    }
    case 'webhook': {
      const texts: ValueSchema = { type: 'object', additionalProperties: TEXT };
      return objectOf({ method: TEXT, headers: texts, query: UNKNOWN, body: UNKNOWN });
    }
    case 'schedule':
      return { type: 'object', properties: { scheduledAt: TEXT, firedAt: TEXT } };
    case 'poll':
      return objectOf({ item: UNKNOWN });
    case 'queue':
      return objectOf({ items: listOf(UNKNOWN) });
  }
}

function presentIn(fields: Json | undefined): string[] {
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((field) =>
    isJsonObject(field) && (field.required === true || field.default !== undefined) ? [String(field.key)] : [],
  );
}
