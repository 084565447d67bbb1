// The shapes of openapi.yaml, compiled once per worker of jest: each test file has its own modules and would repeat it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** @typedef {{ document: object, errorsOf: (pointer: string, value: unknown) => string | undefined }} DocumentedShapes */

/** @type {DocumentedShapes | undefined} */
let made;

/** Made at the first use, because most files need none. */
export function documentedShapes() {
  made ??= make();
  return made;
}

/** @returns {DocumentedShapes} */
function make() {
  const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../dist/openapi.json'), 'utf8'));
  const { Ajv2020 } = require('ajv/dist/2020.js');
  // With shared functions, and without the checks of `npm run lint`.
  const ajv = new Ajv2020({
    ...{ strict: false, allErrors: true, meta: false, validateSchema: false, inlineRefs: false },
    code: { optimize: false },
  });
  require('ajv-formats')(ajv);
  ajv.addSchema(document, 'openapi');
  const compiled = new Map();
  return {
    document,
    errorsOf(pointer, value) {
      let validate = compiled.get(pointer);
      if (!validate) {
        validate = ajv.compile({ $ref: `openapi#${encodeURI(pointer)}` });
        compiled.set(pointer, validate);
      }
      if (validate(value)) return undefined;
      const problem = ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`;
      return validate.errors.map(problem).join('; ');
    },
  };
}
