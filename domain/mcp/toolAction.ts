import { createHash } from 'node:crypto';
import type { ServersTool } from '../agent/mcpTool.ts';
import type { ActionManifest, ConnectionType } from '../app/manifest.ts';
import { A_TEXT, ANYTHING, fixed, listOf } from '../app/outputSchema.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { isDeeperThan, MAX_DEPTH } from '../jsonDepth.ts';
import { inputConfigOf } from '../openapi/actionFields.ts';
import { AnswerSchemas } from '../openapi/answerSchema.ts';
import { describedBy, type ImportedAction } from '../openapi/importedApp.ts';
import { membersPlan } from '../openapi/membersPlan.ts';
import type { OperationPlan } from '../openapi/operationPlan.ts';
import { References } from '../openapi/references.ts';
import { UNDECLARED } from '../openapi/securityTypes.ts';
import { shortened } from '../openapi/shortened.ts';
import { ownMember, setKey } from '../ownMember.ts';
import type { ProblemDetail } from '../problem.ts';
import { canonicalJson } from '../workflow/canonical.ts';

const TOOL_NAME = /^[A-Za-z0-9_][A-Za-z0-9_./:@#$~+-]{0,127}$/;
const MAX_NAME = 100;
const MAX_DESCRIPTION = 1_000;
const MAX_LEVELS = 4;

export interface ImportedTools {
  actions: ImportedAction[];
  connectionTypes: ConnectionType[];
  /** The digests of the tools, by action. */
  tools: Record<string, string>;
  /** The tools, or parts of their schemas, that no action can have. */
  leftOut: ProblemDetail[];
}

/** Makes an action of each tool of an MCP server. The actionId is the name of the tool. */
export function importedTools(tools: readonly ServersTool[], names?: readonly string[]): ImportedTools {
  const leftOut: ProblemDetail[] = [];
  const chosen = tools.filter(({ name }) => names === undefined || names.includes(name));
  const actions = chosen.flatMap((tool, index): [ServersTool, ImportedAction][] => {
    const path = `tools[${index}]`;
    if (!TOOL_NAME.test(tool.name)) {
      leftOut.push({
        path: `${path}.name`,
        message: 'expected a letter, digit or _, then up to 127 of these or . / : @ # $ ~ + -',
      });
      return [];
    }
    if (!isJsonObject(tool.inputSchema) || isDeeperThan(tool.inputSchema, MAX_DEPTH)) {
      leftOut.push({ path: `${path}.inputSchema`, message: 'expected a JSON Schema of an object' });
      return [];
    }
    return [[tool, toolAction(tool)]];
  });
  const digests = Object.fromEntries(actions.map(([tool]) => [tool.name, toolDigest(tool)]));
  return { actions: actions.map(([, action]) => action), connectionTypes: [UNDECLARED], tools: digests, leftOut };
}

function toolAction(tool: ServersTool): ImportedAction {
  const { name, title, description = '', annotations = {}, outputSchema } = tool;
  const references = referencesIn(tool.inputSchema);
  const isRead = annotations.readOnlyHint === true;
  const label = title ?? annotations.title ?? '';
  return {
    actionId: name,
    name: shortened(label, MAX_NAME) || name,
    ...describedBy(shortened(description, MAX_DESCRIPTION)),
    inputConfig: inputConfigOf(toolPlan(tool), references),
    effect: isRead ? 'read' : annotations.destructiveHint === true ? 'destructive' : 'write',
    repeatable: isRead || annotations.idempotentHint === true,
    outputSchema: isJsonObject(outputSchema)
      ? answerOf(outputSchema)
      : fixed({ text: A_TEXT, content: listOf(ANYTHING) }),
    requiresConnection: false,
  };
}

function answerOf(outputSchema: JsonObject): NonNullable<ActionManifest['outputSchema']> {
  if (isDeeperThan(outputSchema, MAX_DEPTH)) return ANYTHING;
  return new AnswerSchemas(referencesIn(outputSchema)).of({ schema: outputSchema, place: '' }, MAX_LEVELS);
}

function toolPlan({ inputSchema }: ServersTool): OperationPlan {
  return membersPlan({ schema: inputSchema as Json, place: '' }, referencesIn(inputSchema));
}

/** Returns the arguments of the tool. A value that is null or an empty text counts as absent, unless it is required. */
export function toolArguments(tool: ServersTool, inputs: JsonObject): JsonObject {
  const { fields, body } = toolPlan(tool);
  const given: JsonObject = {};
  for (const { key, name, isRequired, shape } of fields) {
    const value = ownMember(inputs, key);
    if (value === undefined || (value === null && !shape.isNullable) || (value === '' && !isRequired)) continue;
    if (body?.isWhole) return isJsonObject(value) ? value : {};
    setKey(given, name, value);
  }
  return given;
}

/** Covers everything that the server declares about the tool: a changed description may change what an agent does with it. */
export function toolDigest({ name, description, inputSchema, outputSchema, annotations }: ServersTool): string {
  const said = { name, description, inputSchema, outputSchema, annotations };
  return createHash('sha256').update(canonicalJson(said)).digest('hex');
}

/** A broken reference leaves its part of the schema open. */
function referencesIn(schema: unknown): References {
  return new References(isJsonObject(schema) ? schema : {}, () => undefined);
}
