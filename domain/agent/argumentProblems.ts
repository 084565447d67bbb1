import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject } from '../json.ts';
import { addFormats } from '../object/formats.ts';

/** Compiled schemas. Every call of a tool has the same schema object. */
const COMPILED = new WeakMap<JsonObject, ValidateFunction>();

/** Checks arguments against one of our own tools' schemas and returns the problems as text for the model. */
export function argumentProblems(schema: JsonObject, input: JsonObject): string[] {
  const validate = COMPILED.get(schema) ?? compile(schema);
  COMPILED.set(schema, validate);
  return validate(input) ? [] : (validate.errors ?? []).map((error) => problemText(error, schema));
}

function compile(schema: JsonObject): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats(ajv);
  return ajv.compile(schema);
}

function problemText({ instancePath, message, params }: ErrorObject, { properties }: JsonObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.');
  if ('missingProperty' in params)
    return `${[place, params.missingProperty].filter((part) => part !== '').join('.')}: required`;
  if ('additionalProperty' in params) {
    const known =
      place === '' && isJsonObject(properties) ? `, expected one of ${Object.keys(properties).join(', ')}` : '';
    return `${[place, params.additionalProperty].filter((part) => part !== '').join('.')}: unknown key${known}`;
  }
  const values = 'allowedValues' in params ? `: ${(params.allowedValues as unknown[]).join(', ')}` : '';
  return `${place === '' ? '' : `${place}: `}${message ?? 'wrong'}${values}`;
}
