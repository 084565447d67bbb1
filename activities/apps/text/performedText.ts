import { LimitReached } from '../../../domain/expression/meter.ts';
import type { TextWork } from '../../../domain/text/textWork.ts';
import type { Evaluation } from '../../../engine/evaluation/evaluation.ts';
import { type ActionCall, type ActionResult, failed, succeeded } from '../executor.ts';

export interface TextSettings {
  evaluation: Evaluation;
}

/** Runs within the budget of an evaluation: immediately if it is cheap, otherwise in a thread. */
export async function performedText(
  { evaluation }: TextSettings,
  { origin }: ActionCall,
  work: TextWork,
): Promise<ActionResult> {
  try {
    const done = evaluation.text(origin?.workspaceId ?? '', work);
    const result = done instanceof Promise ? await done : done;
    return 'output' in result ? succeeded(result.output) : failed(result.problem.code, result.problem.message);
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return failed('EXPRESSION_LIMIT', error.message.replace('the expression', 'the action'));
  }
}
