import { literalType } from './schemaType.ts';
import { isRecord, type Members, objectType } from './typeText.ts';

/** Types of what expressions can name, by their whole text: `trigger.amount`, `steps.ask.output.approved`. */
export type Known = ReadonlyMap<string, string>;

const WHOLE = /^\s*\{\{([^{}]*)\}\}\s*$/;

/** The type of a template's value; `unknown` for an expression that is more than the name of a known value: never a guess. */
export function outputType(template: unknown, known: Known): string {
  if (typeof template === 'string') {
    const whole = WHOLE.exec(template)?.[1];
    if (whole !== undefined) return known.get(whole.trim()) ?? 'unknown';
    return template.includes('{{') ? 'string' : literalType(template);
  }
  if (Array.isArray(template)) return `[${template.map((each) => outputType(each, known)).join(', ')}]`;
  if (!isRecord(template)) return literalType(template);
  const members: Members = Object.entries(template).map(([key, each]) => ({
    key,
    isOptional: false,
    type: outputType(each, known),
  }));
  return members.length === 0 ? 'Record<string, never>' : objectType(members);
}
