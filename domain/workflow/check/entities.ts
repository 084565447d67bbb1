import { LimitReached, MAX_MADE_BYTES, Meter, metered } from '../../expression/meter.ts';
import { holdsExpression } from '../../expression/template.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { missingFields, withoutNulls } from '../../object/attributes.ts';
import type { CompiledRules } from '../../object/compiledRules.ts';
import { INLINE_SCHEMA_BYTES } from '../../object/rules.ts';
import { requiredFieldsOf, stateOf } from '../../object/stateSchema.ts';
import { inPath, pathTo } from '../../place.ts';
import type { CheckCode, Severity } from '../checkCodes.ts';
import type { Node, TriggerNode } from '../definition.ts';
import type { PlacedNode } from '../nodeShape.ts';
import type { Problems } from '../problems.ts';

export interface KnownType {
  isEnabled: boolean;
  /** Undefined if they have problems of their own. */
  rules: KnownRules | undefined;
}

type KnownRules = Pick<CompiledRules, 'stateSchema' | 'knows' | 'named' | 'checkLiterals' | 'schemaLength'>;

export interface KnownTypes {
  typeOf(slug: string): KnownType | undefined;
  /** A warning if there may be others, which the caller cannot see. */
  severity: Severity;
}

/** All comparisons of one definition; those beyond are left out. About 40 ms. */
export const MAX_CHECK_WORK = 400_000;

/** Compares the literal values of steps of the app `objects` with the types of entities. */
export function checkEntities(
  { nodes, trigger }: { nodes: readonly PlacedNode[]; trigger: TriggerNode },
  types: KnownTypes,
  problems: Problems,
): void {
  const meter = new Meter({ work: MAX_CHECK_WORK, resultBytes: MAX_MADE_BYTES });
  try {
    metered(meter, () => {
      const check = new EntityCheck(nodes, types, problems);
      check.checkTrigger(trigger);
      for (const placed of nodes) if (placed.node.appId === 'objects') check.checkStep(placed);
    });
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
  }
}

class EntityCheck {
  readonly #byId: ReadonlyMap<string, Node>;
  readonly #types: KnownTypes;
  readonly #problems: Problems;

  constructor(nodes: readonly PlacedNode[], types: KnownTypes, problems: Problems) {
    this.#byId = new Map(nodes.map(({ node }) => [node.id, node]));
    this.#types = types;
    this.#problems = problems;
  }

  checkTrigger({ type, config }: TriggerNode): void {
    if (type !== 'poll' || config.appId !== 'objects') return;
    const slug = config.inputs?.objectTypeSlug;
    if (typeof slug === 'string' && slug !== '') this.#typeOf(slug, 'trigger.config.inputs.objectTypeSlug');
  }

  checkStep({ node, path }: PlacedNode): void {
    const inputs = node.inputs ?? {};
    const place = pathTo(path, 'inputs');
    const named = literalText(inputs.objectTypeSlug);
    if (named !== undefined) {
      const rules = this.#typeOf(named, pathTo(place, 'objectTypeSlug'), node)?.rules;
      if (rules === undefined) return;
      if (node.actionId === 'create') this.#checkNew(rules, node, place);
      if (node.actionId === 'find') this.#checkFilter(rules, node, place);
      return;
    }
    const slug = this.#slugOfEntity(node, this.#byId.size);
    const rules = slug === undefined ? undefined : this.#types.typeOf(slug)?.rules;
    if (rules !== undefined) this.#checkChange(rules, node, place);
  }

  #typeOf(slug: string, path: string, node?: Node): KnownType | undefined {
    const type = this.#types.typeOf(slug);
    const { severity } = this.#types;
    const name = JSON.stringify(slug);
    if (type === undefined) {
      const where = severity === 'warning' ? ' in these files' : '';
      this.#report('ENTITY_TYPE', path, `there is no entity type ${name}${where}`, { severity, node });
    } else if (!type.isEnabled && node?.actionId === 'create') {
      const message = `the entity type ${name} is disabled`;
      this.#report('ENTITY_TYPE', path, message, { severity: 'warning', node });
    }
    return type;
  }

  #checkNew(rules: KnownRules, node: Node, place: string): void {
    const { state, attributes = {} } = node.inputs ?? {};
    const named = literalText(state);
    const isState = named === undefined || this.#checkState(rules, named, pathTo(place, 'state'), node);
    if (!isJsonObject(attributes)) return;
    const given = withoutNulls(attributes);
    const missing = this.#checkAttributes(rules, given, place, node, false);
    const { stateSchema } = rules;
    const first = state === undefined ? stateSchema?.initial : named;
    if (first === undefined || !isState) return;
    const at = (name: string) => pathTo(pathTo(place, 'attributes'), name);
    for (const name of missingFields(given, requiredFieldsOf(stateSchema, first))) {
      if (missing.has(at(name))) continue;
      this.#report('ENTITY_ATTRIBUTES', at(name), `is required in the state ${JSON.stringify(first)}`, { node });
    }
  }

  /** A filter that no entity can match fails nothing. */
  #checkFilter(rules: KnownRules, node: Node, place: string): void {
    const { attributes, states } = node.inputs ?? {};
    const at = pathTo(place, 'attributes');
    for (const name of isJsonObject(attributes) ? Object.keys(attributes) : []) {
      if (rules.knows(name)) continue;
      this.#report('ENTITY_ATTRIBUTES', pathTo(at, name), UNKNOWN, { severity: 'warning', node });
    }
    for (const [index, state] of Array.isArray(states) ? states.entries() : []) {
      const named = literalText(state);
      if (named === undefined) continue;
      this.#checkState(rules, named, pathTo(pathTo(place, 'states'), index), node, 'warning');
    }
  }

  #checkChange(rules: KnownRules, node: Node, place: string): void {
    const { state, attributes } = node.inputs ?? {};
    const named = node.actionId === 'setState' ? literalText(state) : undefined;
    if (named !== undefined) this.#checkState(rules, named, pathTo(place, 'state'), node);
    if (isJsonObject(attributes)) this.#checkAttributes(rules, withoutNulls(attributes), place, node, true);
  }

  #checkState(
    { stateSchema }: KnownRules,
    state: string,
    path: string,
    node: Node,
    severity: Severity = 'error',
  ): boolean {
    if (stateSchema && stateOf(stateSchema, state)) return true;
    const message = stateSchema
      ? `${JSON.stringify(state)} is not a state of the type: expected one of ${stateSchema.states.map(({ id }) => JSON.stringify(id)).join(', ')}`
      : 'the entity type has no states';
    this.#report('ENTITY_STATE', path, message, { severity, node });
    return false;
  }

  /** Returns the places that it reports. */
  #checkAttributes(rules: KnownRules, given: JsonObject, place: string, node: Node, isPart: boolean): Set<string> {
    const { errors, unknown } =
      rules.schemaLength > INLINE_SCHEMA_BYTES
        ? namesCheck(rules, given, isPart)
        : rules.checkLiterals(given, { isPart });
    const strangers = unknown.map((name) => ({ path: pathTo('attributes', name), message: UNKNOWN }));
    const reported = new Set<string>();
    for (const { path, message } of [...strangers, ...errors]) {
      const at = inPath(place, path);
      if (reported.has(at)) continue;
      reported.add(at);
      this.#report('ENTITY_ATTRIBUTES', at, message, { node });
    }
    return reported;
  }

  /** Returns the type of the entity in the `id` of a step, if an earlier step creates it. */
  #slugOfEntity(node: Node, most: number): string | undefined {
    const [, step] = (typeof node.inputs?.id === 'string' && OUTPUT_ID.exec(node.inputs.id)) || [];
    const source = step === undefined || most === 0 ? undefined : this.#byId.get(step);
    if (source?.appId !== 'objects') return undefined;
    if (source.actionId === 'create') return literalText(source.inputs?.objectTypeSlug);
    return source.actionId === 'find' ? undefined : this.#slugOfEntity(source, most - 1);
  }

  #report(
    code: CheckCode,
    path: string,
    message: string,
    { severity = 'error', node }: { severity?: Severity; node?: Node | undefined },
  ): void {
    this.#problems.report({ path, message, code, severity, ...(node === undefined ? {} : { nodeId: node.id }) });
  }
}

const UNKNOWN = 'is not an attribute of the entity type';

const OUTPUT_ID = /^\{\{\s*steps\.([A-Za-z_]\w*)\.output\.id\s*\}\}$/;

/** For a schema that would take too long to compile here. */
function namesCheck({ named, knows }: KnownRules, given: JsonObject, isPart: boolean) {
  const missing = isPart ? [] : [...named.required].filter((name) => !Object.hasOwn(given, name));
  return {
    errors: missing.map((name) => ({ path: pathTo('attributes', name), message: 'is required' })),
    unknown: Object.keys(given).filter((name) => !knows(name)),
  };
}

function literalText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' && !holdsExpression(value) ? value : undefined;
}
