import { useEffect, useState } from 'react';
import type { Json } from '../../../../domain/json.ts';
import { type Evaluated, RULES } from '../model/rules.ts';
import { EDITOR } from '../words.ts';

const PAUSE_MS = 150;

/** Evaluates a value with the engine's own evaluator; undefined until the result is known. */
export function useEvaluated(value: Json | undefined, scope: string | undefined): Evaluated | undefined {
  const asked = value === undefined ? undefined : JSON.stringify(value);
  const [answer, setAnswer] = useState<Evaluated>();
  useEffect(() => {
    if (asked === undefined || scope === undefined) return setAnswer(undefined);
    let isOver = false;
    const timer = setTimeout(async () => {
      const evaluated = await RULES.ask({ ask: 'evaluate', value: JSON.parse(asked) as Json, scope }).catch(() => ({
        problem: EDITOR.input.timeout,
      }));
      if (!isOver) setAnswer(evaluated);
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [asked, scope]);
  return answer;
}
