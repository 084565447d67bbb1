import { holdsExpression, isOneExpression } from '../../expression/template.ts';
import type { Field } from '../../field.ts';
import { checkFieldValues } from '../../fieldValues.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { ownMember } from '../../ownMember.ts';
import { inPath, pathTo } from '../../place.ts';
import type { NamedWorkflow } from '../namedWorkflows.ts';
import { namedWorkflows } from '../namedWorkflows.ts';
import type { PlacedNode } from '../nodeShape.ts';
import type { Problems } from '../problems.ts';

/** Returns the fields that the manual trigger of a workflow declares; undefined if the caller does not know it. */
export type FieldsOf = (called: Pick<NamedWorkflow, 'by' | 'name'>) => readonly Field[] | undefined;

/** Checks the input of each `runWorkflow` as the start of the called workflow does. Expressions can be any value. */
export function checkWorkflowInputs(nodes: readonly PlacedNode[], fieldsOf: FieldsOf, problems: Problems): void {
  const byId = new Map(nodes.map((placed) => [placed.node.id, placed]));
  for (const called of namedWorkflows(nodes.map(({ node }) => node))) {
    const { node, path } = byId.get(called.nodeId) as PlacedNode;
    const fields = fieldsOf(called);
    const input = node.inputs?.input ?? {};
    if (fields === undefined || fields.length === 0 || !isJsonObject(input)) continue;
    const place = pathTo(pathTo(path, 'inputs'), 'input');
    const report = (at: string, message: string, severity: 'error' | 'warning') =>
      problems.report({ path: at, message, nodeId: node.id, code: 'WORKFLOW_INPUT', severity });
    for (const wrong of wrongValues(fields, input)) report(inPath(place, wrong.path), wrong.message, 'error');
    const keys = fields.map(({ key }) => key);
    for (const key of Object.keys(input).filter((each) => !keys.includes(each))) {
      report(pathTo(place, key), `the workflow has no such field, expected one of ${keys.join(', ')}`, 'warning');
    }
  }
}

function wrongValues(fields: readonly Field[], input: JsonObject): { path: string; message: string }[] {
  const isKnown = ({ key, type }: Field) => {
    const value = ownMember(input, key);
    return value === undefined || !holdsExpression(value) || isText(value, type);
  };
  const known = fields.filter(isKnown);
  const keys = new Set(known.map(({ key }) => key));
  const literals = Object.fromEntries(Object.entries(input).filter(([key]) => keys.has(key)));
  return checkFieldValues(known, literals, 'keep').problems;
}

/** Text around an expression is always text, which these types refuse. */
function isText(value: Json, type: Field['type']): boolean {
  return typeof value === 'string' && !isOneExpression(value) && (type === 'number' || type === 'boolean');
}
