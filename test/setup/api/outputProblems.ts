import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ActionManifest } from '../../../domain/app/manifest.ts';
import type { Json } from '../../../domain/json.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });

/** Where an output does not fit the schema that its action gives in the catalogue; an action without one takes all. */
export function outputProblems({ outputSchema = {} }: ActionManifest, output: Json): string[] {
  const validate = ajv.compile(outputSchema);
  if (validate(output)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
