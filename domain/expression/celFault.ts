import { insteadOfName } from './javascriptSyntax.ts';
import { ROOT_NAMES } from './scope.ts';

interface CelFailure {
  code?: string;
  summary?: string;
  message: string;
  range?: { start: number };
}

const TOKENS: Readonly<Record<string, string>> = {
  EOF: 'the end',
  NUMBER: 'a number',
  STRING: 'a text',
  BYTES: 'bytes',
  BOOLEAN: 'a boolean',
  NULL: 'null',
  IDENTIFIER: 'a name',
  PLUS: '+',
  MINUS: '-',
  MULTIPLY: '*',
  DIVIDE: '/',
  MODULO: '%',
  EQ: '==',
  NE: '!=',
  LT: '<',
  LE: '<=',
  GT: '>',
  GE: '>=',
  AND: '&&',
  OR: '||',
  NOT: '!',
  IN: 'in',
  LPAREN: '(',
  RPAREN: ')',
  LBRACKET: '[',
  RBRACKET: ']',
  LBRACE: '{',
  RBRACE: '}',
  DOT: '.',
  COMMA: ',',
  COLON: ':',
  QUESTION: '?',
};

const EXPECTED: Readonly<Record<string, string>> = {
  unexpected_token: 'a value',
  unexpected_character: 'an operator or the end',
  unterminated_string: 'a closing quotation mark',
  unterminated_triple_quoted_string: 'three closing quotation marks',
  unknown_variable: `one of ${ROOT_NAMES.join(', ')}`,
  reserved_identifier: `one of ${ROOT_NAMES.join(', ')}`,
  invalid_macro_argument: 'the name of a variable',
};

export function celFault(
  error: unknown,
  text: string,
): { reason: string; position: number; expected: string | undefined } {
  const { code = '', summary, message, range } = error as CelFailure;
  const said = (summary ?? message).replace(/dyn<([^<>]+)>/g, '$1');
  const position = Math.min(range?.start ?? 0, text.length);
  const wanted = /^Expected ([A-Z]+), got ([A-Z]+)$/.exec(said);
  if (wanted !== null)
    return { reason: unexpected(wanted[2] as string), position, expected: TOKENS[wanted[1] as string] };
  const instead = code === 'unknown_variable' ? insteadOfName(text, position) : insteadOfOperator(said);
  const token = /^Unexpected token: ([A-Z]+)$/.exec(said);
  const reason = token === null ? said : unexpected(token[1] as string);
  const fault = reason.charAt(0).toLowerCase() + reason.slice(1);
  if (instead !== undefined) return { reason: `${fault}: write ${instead}`, position, expected: undefined };
  return { reason: fault, position, expected: EXPECTED[code] };
}

function insteadOfOperator(said: string): string | undefined {
  if (/^No such overload: (string \+ (int|double|bool)|(int|double|bool) \+ string)$/i.test(said))
    return 'string(x) around the other operand';
  if (/^No such overload: string in string$/i.test(said)) return 'text.contains(part)';
  if (/^No such overload: !(?!bool)/i.test(said)) return 'x == null, or x == 0';
  return /^Logical operator requires bool operands/i.test(said)
    ? 'a comparison on both sides; for a default value, path.?name.orValue(other)'
    : undefined;
}

function unexpected(token: string): string {
  return token === 'EOF' ? 'the expression ends too early' : `unexpected ${TOKENS[token] ?? token}`;
}
