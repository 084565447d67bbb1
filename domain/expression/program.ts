import { Environment } from '@marcbachmann/cel-js';
import type { Duration } from '@marcbachmann/cel-js/evaluator';
import type { Json } from '../json.ts';
import { evaluateAccess, evaluateName, evaluateOptionalAccess, replaceHas } from './access.ts';
import { meterCall, meterFailures, replaceCall } from './calls.ts';
import { celFault } from './celFault.ts';
import { type CelNode, childrenOf, Located, weightOf } from './celNode.ts';
import { ExpressionError } from './expressionError.ts';
import { javascriptIn } from './javascriptSyntax.ts';
import { checkMember } from './members.ts';
import { activeMeter, asUnit, charge, InlineSpent } from './meter.ts';
import { checkBinary, checkTernary, evaluateBinary, evaluateMap } from './operators.ts';
import { emptyReferences, type References } from './references.ts';
import { referencesOf } from './referencesOf.ts';
import { restoreNames, safeNames } from './reservedNames.ts';
import { toJson } from './result.ts';
import { ROOT_NAMES, type Scope } from './scope.ts';

export const MAX_EXPRESSION_LENGTH = 4_096;

export interface Program {
  text: string;
  references: References;
  evaluate(scope: Scope): Json;
}

/** CEL with these variables and conversions that cel-js lacks. `types` maps names to CEL types. */
export function expressionEnvironment(types: Readonly<Record<string, string>>): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: false,
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
  });
  for (const [name, type] of Object.entries(types)) environment.registerVariable(safeNames(name), type);
  // Only for type checking of numbers from data with integers. operators.ts implements them.
  for (const operator of ['+', '-', '*', '/', '%']) {
    const unused = (): never => {
      throw new Error(`${operator} has its own evaluation`);
    };
    environment.registerOperator(`double ${operator} int: double`, unused);
    environment.registerOperator(`int ${operator} double: double`, unused);
  }
  environment.registerOperator('double % double', () => Number.NaN);
  environment.registerFunction('string(google.protobuf.Timestamp): string', (time: Date) => time.toISOString());
  environment.registerFunction(
    'string(google.protobuf.Duration): string',
    (span: Duration) => `${span.valueOf() / 1_000}s`,
  );
  environment.registerFunction('int(google.protobuf.Timestamp): int', (time: Date) =>
    BigInt(Math.floor(time.getTime() / 1_000)),
  );
  return environment;
}

const ENVIRONMENT = expressionEnvironment(
  Object.fromEntries(ROOT_NAMES.map((name) => [name, name === 'now' ? 'google.protobuf.Timestamp' : 'dyn'])),
);
export const STANDARD_NAMES: ReadonlySet<string> = new Set(
  ENVIRONMENT.getDefinitions().functions.map(({ name }) => name),
);

/** The characters of the cached expressions. A compiled expression takes a few hundred bytes per character. */
export const MAX_KEPT = 262_144;
const kept = new Map<string, Program>();
let keptCharacters = 0;

/** Throws ExpressionError. Caches recent programs, because versions of a definition share most expressions. */
export function compileExpression(text: string): Program {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const program = compiledAgain(text);
  kept.set(text, program);
  keptCharacters += text.length;
  for (const oldest of kept.keys()) {
    if (keptCharacters <= MAX_KEPT) break;
    kept.delete(oldest);
    keptCharacters -= oldest.length;
  }
  return program;
}

function compiledAgain(text: string): Program {
  if (text.length > MAX_EXPRESSION_LENGTH) {
    const limit = MAX_EXPRESSION_LENGTH.toLocaleString('en-US');
    const reason = `the expression has ${text.length.toLocaleString('en-US')} characters, at most ${limit} are allowed`;
    throw new ExpressionError({ reason, text, position: MAX_EXPRESSION_LENGTH });
  }
  try {
    return compiled(text);
  } catch (error) {
    throw failure(error, text);
  }
}

type CelProgram = ReturnType<Environment['parse']>;

/** Adds our functions and checks types; `beforeTypes` sees the tree first. Throws the error of cel-js, or Located. */
export function withOurFunctions(program: CelProgram, beforeTypes?: (root: CelNode) => void): CelProgram {
  const root = program.ast as unknown as CelNode;
  visit(root, beforeCheck);
  beforeTypes?.(root);
  const check = program.check();
  if (!check.valid) throw check.error;
  visit(root, afterCheck);
  return program;
}

function compiled(text: string): Program {
  let references = emptyReferences() as References;
  const program = withOurFunctions(parsed(text), (root) => {
    references = referencesOf(root, text);
  });
  const root = program.ast as unknown as CelNode;
  const data = isData(root);
  const weight = weightOf(root);
  return {
    text,
    references,
    evaluate: (scope) => (activeMeter() === undefined ? asUnit(() => evaluated(scope)) : evaluated(scope)),
  };

  function evaluated(scope: Scope): Json {
    try {
      charge(weight);
      const value: unknown = program(scope as unknown as Record<string, unknown>);
      const result = data ? (value as Json) : toJson(value);
      // `||` and exists() may have ignored it.
      const end = activeMeter()?.end;
      if (end) throw end;
      return result;
    } catch (error) {
      throw limitOf(error, text) ?? failure(error, text);
    }
  }
}

export function expressionTree(text: string): CelNode | undefined {
  try {
    return ENVIRONMENT.parse(safeNames(text)).ast as unknown as CelNode;
  } catch {
    return undefined;
  }
}

/** If the text does not parse and looks like JavaScript, the error suggests what to write. */
function parsed(text: string): CelProgram {
  try {
    return ENVIRONMENT.parse(safeNames(text));
  } catch (error) {
    const found = javascriptIn(text);
    throw found === undefined ? error : new Located(found.reason, found.position);
  }
}

function limitOf(error: unknown, text: string): Error | undefined {
  const end = activeMeter()?.end;
  if (end === undefined || end instanceof InlineSpent) return end;
  const { position = 0 } = error instanceof Located ? error : {};
  return new ExpressionError({ code: 'EXPRESSION_LIMIT', reason: end.message, text, position });
}

function failure(error: unknown, text: string): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof Located) {
    const { message, position, expected } = error;
    return new ExpressionError({ reason: message, text, position, expected });
  }
  const { reason, position, expected } = celFault(error, text);
  return new ExpressionError({ reason: restoreNames(reason), text, position, expected });
}

function visit(node: CelNode, step: (node: CelNode) => void): void {
  for (const child of childrenOf(node)) visit(child, step);
  step(node);
}

function beforeCheck(node: CelNode): void {
  if (node.op === '?:') checkTernary(node);
  else if (node.op === 'call' && (node.args as [string])[0] === 'has') replaceHas(node);
  else if (node.op === 'call' || node.op === 'rcall') replaceCall(node, STANDARD_NAMES);
  else if (node.op === '.') checkMember(node);
  else checkBinary(node);
}

const EVALUATIONS: Readonly<Record<string, (node: CelNode) => void>> = {
  '.': evaluateAccess,
  '[]': evaluateAccess,
  '.?': evaluateOptionalAccess,
  '[?]': evaluateOptionalAccess,
  id: evaluateName,
  map: evaluateMap,
  call: meterCall,
  rcall: meterCall,
  '||': meterFailures,
  '&&': meterFailures,
};

function afterCheck(node: CelNode): void {
  (EVALUATIONS[node.op] ?? evaluateBinary)(node);
}

/** Returns true for a path into the scope. Its value is JSON already and need not be converted. */
function isData(node: CelNode): boolean {
  if (node.op === 'id') {
    const name = restoreNames(node.args as string);
    return name !== 'now' && (ROOT_NAMES as readonly string[]).includes(name);
  }
  return (node.op === '.' || node.op === '[]') && isData((node.args as [CelNode])[0]);
}
