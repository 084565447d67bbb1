import { ExpressionError } from '../../domain/expression/expressionError.ts';
import { charactersOf, expressionsOf } from '../../domain/expression/expressionsOf.ts';
import { compileExpression, MAX_KEPT } from '../../domain/expression/program.ts';
import { isDeeperThan, MAX_DEPTH } from '../../domain/jsonDepth.ts';
import { EventLoopYield } from '../fairness/eventLoopYield.ts';

/**
 * Compiles the expressions of a definition before it is checked or compiled as a whole, which then finds them: that takes
 * milliseconds for each thousand characters, and in between others have their turn. Mistakes are found later, by the check.
 */
export async function compileAhead(definition: unknown): Promise<void> {
  if (isDeeperThan(definition, MAX_DEPTH)) return;
  const expressions = expressionsOf(definition);
  if (expressions.size < FEW || charactersOf(expressions) > MAX_KEPT) return;
  const eventLoop = new EventLoopYield();
  for (const expression of expressions) {
    try {
      compileExpression(expression);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
    }
    await eventLoop.takeIfDue();
  }
}

/** So few take less than a turn. */
const FEW = 5;
