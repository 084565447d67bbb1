import { ExpressionError } from '../../domain/expression/expressionError.ts';
import { charactersOf, expressionsOf } from '../../domain/expression/expressionsOf.ts';
import { compileExpression, MAX_KEPT } from '../../domain/expression/program.ts';
import { isDeeperThan, MAX_DEPTH } from '../../domain/jsonDepth.ts';
import { EventLoopYield } from '../fairness/eventLoopYield.ts';

/** Compiles expressions ahead of the check, which reports mistakes. Yields: 1,000 characters take milliseconds. */
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

/** Fewer expressions take less than a turn of the event loop. */
const FEW = 5;
