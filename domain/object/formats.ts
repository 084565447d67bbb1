import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

// The package is CommonJS: under nodenext its function is the module's `default`.
const plugin = formats as unknown as (ajv: Ajv2020, options: { keywords: boolean }) => void;

export function addFormats(ajv: Ajv2020): void {
  // The plugin's own keywords (formatMinimum) are not part of JSON Schema.
  plugin(ajv, { keywords: false });
}

/** JSON Schema formats that attributes are checked for. */
export const FORMATS: ReadonlySet<string> = knownFormats();

function knownFormats(): Set<string> {
  const ajv = new Ajv2020({ meta: false });
  addFormats(ajv);
  return new Set(Object.keys(ajv.formats));
}
