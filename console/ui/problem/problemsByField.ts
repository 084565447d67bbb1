import { isProblem } from 'perdure-client';

/** Maps API errors to fields of the form: `inputData.order.lines[0]` within `inputData` belongs to `order`. */
export function problemsByField(error: unknown, within: string): Record<string, string> {
  const errors = (isProblem(error) && error.errors) || [];
  return Object.fromEntries(
    errors.map(({ path, message }) => [fieldOf(path.startsWith(within) ? path.slice(within.length) : path), message]),
  );
}

const fieldOf = (path: string): string => path.replace(/^\./, '').split(/[.[]/)[0] ?? '';
