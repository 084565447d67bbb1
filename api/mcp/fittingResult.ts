import type { JsonObject } from '../../domain/json.ts';
import { resultOf, type ToolResult } from './toolCall.ts';

/** Clients refuse a whole result that differs from the schema of its tool, e.g. because a masked secret is no number. */
export async function fittingResult(result: ToolResult, schema: JsonObject | undefined): Promise<ToolResult> {
  const { structuredContent, isError } = result;
  if (isError || schema === undefined || structuredContent?.output === undefined) return result;
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
  const validate = new AjvJsonSchemaValidator().getValidator(schema as never);
  if (validate(structuredContent).valid) return result;
  const { output: _, ...rest } = structuredContent;
  return { ...resultOf(rest), content: result.content };
}
