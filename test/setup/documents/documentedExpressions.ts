import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../projectRoot.ts';

/** The text of the guide. */
export const EXPRESSIONS_PAGE = readFileSync(join(PROJECT_ROOT, 'docs/expressions.md'), 'utf8');

/** The scope of its examples, as JSON. */
export const [, EXAMPLE_SCOPE = ''] = /```json\n([\s\S]*?)```/.exec(EXPRESSIONS_PAGE) ?? [];

/** Its examples `expression` → `json`. In a table a bar is escaped. A signature has its arrow inside the backticks. */
export const EXPRESSION_EXAMPLES = [...EXPRESSIONS_PAGE.matchAll(/`([^`\n→]+)` → `([^`\n]+)`/g)].map(
  ([, expression = '', json = '']) => ({
    expression: expression.replaceAll('\\|', '|'),
    json: json.replaceAll('\\|', '|'),
  }),
);
