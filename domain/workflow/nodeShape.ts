import { kindOfJson } from '../fieldType.ts';
import { isJsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
import { NODE_TYPES, type Node, type NodeType, type RetryPolicy, TRIGGER_ID } from './definition.ts';
import { NODE_EDITOR_MEMBERS } from './editorMembers.ts';
import { NODE_ID } from './nodeId.ts';
import type { Problems } from './problems.ts';
import { Shape } from './shape.ts';

const NAME_LENGTH = 200;
/** One year, the maximum for intervals and timeouts. */
const MAX_MS = 31_536_000_000;

/** A node with a valid id and type, and its place. Invalid members are left out. */
export interface PlacedNode {
  node: Node;
  path: string;
}

export function readNodes(
  list: readonly unknown[],
  problems: Problems,
  pathOf: (index: number) => string,
): PlacedNode[] {
  const places = new Map<string, string>();
  return list.flatMap((candidate, index) => {
    const path = pathOf(index);
    if (!isJsonObject(candidate)) {
      problems.add(path, `expected a node, got ${kindOfJson(candidate)}`);
      return [];
    }
    const id = readId(candidate.id, path, places, problems);
    const node = readNode(candidate, path, id, problems);
    return node === undefined ? [] : [{ node, path }];
  });
}

function readId(id: unknown, path: string, places: Map<string, string>, problems: Problems): string | undefined {
  const place = pathTo(path, 'id');
  if (typeof id !== 'string' || !NODE_ID.test(id)) {
    problems.add(
      place,
      `expected 1 to 64 letters, digits, _ or -${typeof id === 'string' ? '' : `, got ${kindOfJson(id)}`}`,
    );
    return undefined;
  }
  if (id === TRIGGER_ID) {
    problems.add(place, 'the id trigger is reserved for the trigger', id);
    return undefined;
  }
  const first = places.get(id);
  if (first !== undefined) {
    problems.add(place, `the id ${id} is already used at ${first}`, id);
    return undefined;
  }
  places.set(id, path);
  return id;
}

function readNode(
  candidate: Record<string, unknown>,
  path: string,
  id: string | undefined,
  problems: Problems,
): Node | undefined {
  const shape = new Shape(candidate, path, problems, id);
  shape.take('id');
  // A client sends back what it read. The validator sets the present digest.
  shape.take('appDigest');
  const type = readType(shape);
  const isAction = type === 'action';
  const node = {
    id,
    type,
    ...memberIfPresent('name', shape.text('name', NAME_LENGTH)),
    ...memberIfPresent('appId', shape.text('appId', NAME_LENGTH)),
    ...memberIfPresent('actionId', shape.text('actionId', NAME_LENGTH)),
    ...memberIfPresent('inputs', shape.object('inputs')),
    ...memberIfPresent('connectionId', shape.text('connectionId', NAME_LENGTH)?.toLowerCase()),
    ...memberIfPresent('parentId', shape.text('parentId', 64)),
    ...memberIfPresent('position', readPosition(shape, path, problems, id)),
    ...memberIfPresent('onError', shape.oneOf('onError', ['fail', 'continue', 'route'])),
    ...memberIfPresent('retry', readRetry(shape, problems, id)),
    ...memberIfPresent('timeoutMs', wholeMs(shape, 'timeoutMs')),
    ...memberIfPresent('onReconnectTimeoutMs', wholeMs(shape, 'onReconnectTimeoutMs')),
  };
  if (type !== undefined && !isAction) {
    for (const member of ['appId', 'actionId', 'connectionId', 'retry', 'timeoutMs', 'onReconnectTimeoutMs']) {
      if (shape.has(member)) shape.problem(member, `only a node of type action has ${member}, this one is ${type}`);
    }
  }
  shape.refuseOthers('a node', NODE_EDITOR_MEMBERS);
  return id === undefined || type === undefined ? undefined : ({ ...node, id, type } as Node);
}

export function memberIfPresent<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]: V });
}

function readType(shape: Shape): NodeType | undefined {
  const type = shape.take('type');
  if (type === undefined) shape.problem('type', `required: expected one of ${NODE_TYPES.join(', ')}`);
  return shape.oneOf('type', NODE_TYPES);
}

function readPosition(shape: Shape, path: string, problems: Problems, id?: string): Node['position'] {
  const position = shape.object('position');
  if (position === undefined) return undefined;
  const inner = new Shape(position, pathTo(path, 'position'), problems, id);
  const x = inner.number('x', 'a number', () => true);
  const y = inner.number('y', 'a number', () => true);
  if (position.x === undefined || position.y === undefined) shape.problem('position', 'expected {x, y}');
  inner.refuseOthers('a position');
  return x === undefined || y === undefined ? undefined : { x, y };
}

function wholeMs(shape: Shape, member: string, least = 1): number | undefined {
  return shape.number(
    member,
    `a whole number of milliseconds from ${least} to ${MAX_MS}`,
    (value) => Number.isInteger(value) && value >= least && value <= MAX_MS,
  );
}

function readRetry(shape: Shape, problems: Problems, id?: string): RetryPolicy | undefined {
  const retry = shape.object('retry');
  if (retry === undefined) return undefined;
  const inner = new Shape(retry, shape.place('retry'), problems, id);
  const attempts = inner.number(
    'maximumAttempts',
    'a whole number from 1 to 1000',
    (value) => Number.isInteger(value) && value >= 1 && value <= 1000,
  );
  if (!inner.has('maximumAttempts'))
    inner.problem('maximumAttempts', 'required: expected a whole number from 1 to 1000');
  const initial = wholeMs(inner, 'initialIntervalMs', 0);
  const maximum = wholeMs(inner, 'maximumIntervalMs', 0);
  const coefficient = inner.number(
    'backoffCoefficient',
    'a number from 1 to 100',
    (value) => value >= 1 && value <= 100,
  );
  if (initial !== undefined && maximum !== undefined && maximum < initial) {
    inner.problem('maximumIntervalMs', `expected at least initialIntervalMs (${initial}), got ${maximum}`);
  }
  inner.refuseOthers('retry');
  return {
    maximumAttempts: attempts ?? 1,
    ...memberIfPresent('initialIntervalMs', initial),
    ...memberIfPresent('backoffCoefficient', coefficient),
    ...memberIfPresent('maximumIntervalMs', maximum),
  };
}
