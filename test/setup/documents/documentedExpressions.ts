import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../projectRoot.ts';

export const EXPRESSIONS_PAGE = readFileSync(join(PROJECT_ROOT, 'docs/expressions.md'), 'utf8');

export const [, EXAMPLE_SCOPE = ''] = /```json\n([\s\S]*?)```/.exec(EXPRESSIONS_PAGE) ?? [];

/** Examples `expression` → `json`. A bar is escaped in tables. A signature has its arrow inside the backticks. */
export const EXPRESSION_EXAMPLES = [...EXPRESSIONS_PAGE.matchAll(/`([^`\n→]+)` → `([^`\n]+)`/g)].map(
  ([, expression = '', json = '']) => ({
    expression: expression.replaceAll('\\|', '|'),
    json: json.replaceAll('\\|', '|'),
  }),
);
