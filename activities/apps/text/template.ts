import { z } from 'zod';
import type { Json } from '../../../domain/json.ts';
import { jsonObject, withInputs } from '../checkedInputs.ts';
import { failed, succeeded } from '../executor.ts';
import { valueAt } from '../fieldPath.ts';

/** `{name}` or `{order.lines.0.sku}`; `\{name}` is that text itself. Other braces stay, so JSON and CSS pass through. */
const PLACEHOLDER = /(\\?)\{([A-Za-z_][\w.-]*)\}/g;

/** Fills a text from values. Texts as they are, null as nothing, everything else as JSON. */
export const template = withInputs(
  { template: z.string().default(''), values: jsonObject, missing: z.enum(['fail', 'empty', 'keep']).default('fail') },
  ({ template: text, values, missing }) => {
    const unknown = new Set<string>();
    const filled = text.replace(PLACEHOLDER, (whole: string, backslash: string, path: string) => {
      if (backslash !== '') return whole.slice(1);
      const value = valueAt(values, path);
      if (value !== undefined) return asText(value);
      unknown.add(path);
      return missing === 'keep' ? whole : '';
    });
    if (missing === 'fail' && unknown.size > 0) {
      return failed('INVALID_INPUT', `values: the template names ${[...unknown].join(', ')}, which is not there`);
    }
    return succeeded(filled);
  },
);

function asText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
