import { MAX_DEPTH } from '../jsonDepth.ts';
import type { ProblemDetail } from '../problem.ts';
import { isDeeplyNested } from '../yamlDepth.ts';

/** Lines of a text have more levels than the value, so the check of the value is the stricter one. */
const MAX_LEVELS = 2 * MAX_DEPTH;
/** Each alias can multiply the size of its anchor. */
const MAX_ALIASES = 100;

/** Parses JSON or YAML of at most `maxYamlCharacters`; larger YAML takes seconds. */
export async function parsedDocument(
  text: string,
  maxYamlCharacters = Number.POSITIVE_INFINITY,
): Promise<{ document: unknown } | { problem: ProblemDetail }> {
  const given = text.replace(/^\ufeff/, '');
  if (/^\s*[{[]/.test(given)) {
    try {
      return { document: JSON.parse(given) };
    } catch {
      // YAML may begin with a bracket too.
    }
  }
  if (given.length > maxYamlCharacters) {
    const message = `expected JSON, or YAML of at most ${maxYamlCharacters} characters: convert the document to JSON`;
    return { problem: { path: '', message } };
  }
  const { Lexer, parse, YAMLError } = await import('yaml');
  if (isDeeplyNested(new Lexer().lex(given), MAX_LEVELS)) {
    return { problem: { path: '', message: `the document is nested deeper than ${MAX_LEVELS} levels` } };
  }
  try {
    return { document: parse(given, { maxAliasCount: MAX_ALIASES, logLevel: 'error' }) };
  } catch (error) {
    const at = error instanceof YAMLError ? error.linePos?.[0] : undefined;
    const place = at ? { line: at.line, column: at.col } : {};
    const said = error instanceof Error ? error.message.split('\n')[0] : 'it cannot be read';
    return { problem: { path: '', message: `the document is neither JSON nor YAML: ${said}`, ...place } };
  }
}
