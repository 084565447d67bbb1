/** The codes of problems that the checker of definitions finds. INVALID is every mistake without a code of its own. */
export const CHECK_CODES = [
  'INVALID',
  'STEP_MAY_BE_SKIPPED',
  'CODE_SYNTAX',
  'WORKFLOW_INPUT',
  'QUEUE_DATA',
  'ENTITY_TYPE',
  'ENTITY_STATE',
  'ENTITY_ATTRIBUTES',
  'UNKNOWN_VARIABLE',
  'NEVER_REACHED',
  'EXPRESSION_AS_TEXT',
  'UNKNOWN_TRIGGER_FIELD',
  'EXCLUDES_NOBODY',
] as const;
export type CheckCode = (typeof CHECK_CODES)[number];

/** A definition with warnings alone is valid. */
export type Severity = 'error' | 'warning';
