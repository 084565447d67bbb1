import { z } from 'zod';
import { contentText } from '../../../domain/agent/providerChunk.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.ts';
import { attributeSchemaProblems } from '../../../domain/object/attributeSchema.ts';
import { type AttributesCheck, type CompiledRules, compileRules } from '../../../domain/object/compiledRules.ts';
import { DEFAULT_SCHEMA_LIMITS } from '../../../domain/object/rules.ts';
import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import { jsonObject, withInputs } from '../checkedInputs.ts';
import { type Executor, failed, succeeded } from '../executor.ts';
import { askChat, callProvider, type OpenAiSettings, providerUsage, unclearAnswer } from './callProvider.ts';
import { CONVERSATION, conversationOf, NOTHING_ASKED } from './conversation.ts';

/** Schemas are limited like those of entity types, which can be checked in linear time. */
export function buildStructured(settings: OpenAiSettings): Executor {
  return withInputs(
    { ...CONVERSATION, schema: jsonObject, strict: z.boolean().default(true) },
    ({ schema, strict, ...inputs }, call) => {
      const body = conversationOf(inputs);
      if (body === undefined) return failed('INVALID_INPUT', NOTHING_ASKED);
      const [wrong] = attributeSchemaProblems(schema, DEFAULT_SCHEMA_LIMITS);
      if (wrong)
        return failed('INVALID_INPUT', `${wrong.path.replace(/^attributeSchema/, 'schema')}: ${wrong.message}`);
      const json_schema = { name: 'answer', schema, strict };
      return callProvider(
        settings,
        call,
        inputs.timeoutMs,
        (provider, options) =>
          askChat(provider, { ...body, response_format: { type: 'json_schema', json_schema } }, options),
        async (answer) => {
          const [choice] = answer.choices ?? [];
          if (choice === undefined) return unclearAnswer('an answer of the model');
          const { message, finish_reason: finishReason } = choice;
          if (message.refusal) return failed('MODEL_REFUSED', `The model refused: ${message.refusal}`);
          if (finishReason === 'content_filter') {
            return failed('CONTENT_FILTERED', 'The model provider held the answer back: its content filter.');
          }
          const check = settings.evaluation.attributesCheck(call.origin?.workspaceId ?? '');
          const read = await readValue(check, schema, contentText(message.content));
          if (typeof read === 'string') {
            const why = finishReason === 'length' ? 'was cut off: raise maxTokens' : read;
            return failed('MODEL_ANSWER_INVALID', `The answer of the model ${why}.`, { retryable: true });
          }
          return succeeded({
            value: read.value,
            finishReason,
            model: answer.model,
            usage: providerUsage(answer.usage),
          });
        },
      );
    },
  );
}

async function readValue(check: AttributesCheck, schema: JsonObject, text: string): Promise<{ value: Json } | string> {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return 'is not JSON';
  }
  if (!isJsonObject(value)) return 'is not a JSON object';
  const rules = compileRules({ attributeSchema: schema, stateSchema: null, allowUnknownAttributes: true });
  const [error] = await problemsOf(check, rules, value);
  return error ? `does not fit the schema: ${error.path.replace(/^attributes/, 'value')} ${error.message}` : { value };
}

/** A value that takes too long to check does not match. */
async function problemsOf(check: AttributesCheck, rules: CompiledRules, value: JsonObject): Promise<ProblemDetail[]> {
  try {
    return (await check(rules, value)).errors;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'EXPRESSION_LIMIT') throw error;
    return error.errors ?? [];
  }
}
