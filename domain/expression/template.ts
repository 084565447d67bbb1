import { ExpressionError } from './expressionError.ts';

export type TemplatePart = string | { expression: string };

/** Splits a text at its `{{ … }}`. Throws ExpressionError for an unterminated expression. */
export function templateParts(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf('{{', from);
    if (open === -1) break;
    if (open > from) parts.push(text.slice(from, open));
    const close = endOfExpression(text, open + 2);
    if (close === -1) throw unended(text.slice(open + 2).trim());
    parts.push({ expression: text.slice(open + 2, close).trim() });
    from = close + 2;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** Replaces each expression in a text, including its braces. An unterminated one stays. */
export function withExpressions(text: string, other: (expression: string) => string): string {
  let done = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf('{{', from);
    const close = open === -1 ? -1 : endOfExpression(text, open + 2);
    if (close === -1) return done + text.slice(from);
    done += text.slice(from, open) + other(text.slice(open, close + 2));
    from = close + 2;
  }
}

function unended(text: string): ExpressionError {
  const literal = openLiteral(text);
  return literal === undefined
    ? new ExpressionError({ reason: 'the expression does not end', text, position: text.length, expected: '}}' })
    : new ExpressionError({
        reason: 'the text literal does not end',
        text,
        position: literal,
        expected: 'a closing quotation mark',
      });
}

/** Returns the offset of the `}}`, or -1. Literals (as CEL's lexer reads them), comments and maps are skipped. */
function endOfExpression(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at = afterToken(text, at)) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && depth > 0) depth -= 1;
    else if (text.startsWith('}}', at)) return at;
  }
  return -1;
}

function afterToken(text: string, at: number): number {
  const char = text[at];
  if (char === '"' || char === "'") return endOfLiteral(text, at, char);
  if (!text.startsWith('//', at)) return at + 1;
  const line = text.indexOf('\n', at);
  return line === -1 ? text.length : line + 1;
}

function openLiteral(expression: string): number | undefined {
  for (let at = 0; at < expression.length; at += 1) {
    const char = expression[at];
    if (char !== '"' && char !== "'") continue;
    const end = endOfLiteral(expression, at, char);
    if (end > expression.length) return at;
    at = end - 1;
  }
  return undefined;
}

export function endOfLiteral(text: string, start: number, quote: string): number {
  const triple = quote.repeat(3);
  const mark = text.startsWith(triple, start) ? triple : quote;
  let at = start + mark.length;
  while (at < text.length && !text.startsWith(mark, at)) at += text[at] === '\\' ? 2 : 1;
  return at + mark.length;
}

export function holdsExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{');
  if (Array.isArray(value)) return value.some(holdsExpression);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}

export function isOneExpression(text: string): boolean {
  if (!text.startsWith('{{')) return false;
  const close = endOfExpression(text, 2);
  return close === -1 || close === text.length - 2;
}
