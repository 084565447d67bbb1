import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ActionManifest } from '../../../domain/app/manifest.ts';
import type { Json } from '../../../domain/json.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });

/** Returns where an output violates its action's schema in the catalogue; without a schema every output is valid. */
export function outputProblems({ outputSchema = {} }: ActionManifest, output: Json): string[] {
  const validate = ajv.compile(outputSchema);
  if (validate(output)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
