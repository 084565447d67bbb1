import { isProblem } from 'perdure-client';

/** What the API found wrong, by the field of the form: of `inputData.order.lines[0]` within `inputData` that is `order`. */
export function problemsByField(error: unknown, within: string): Record<string, string> {
  const errors = (isProblem(error) && error.errors) || [];
  return Object.fromEntries(
    errors.map(({ path, message }) => [fieldOf(path.startsWith(within) ? path.slice(within.length) : path), message]),
  );
}

const fieldOf = (path: string): string => path.replace(/^\./, '').split(/[.[]/)[0] ?? '';
