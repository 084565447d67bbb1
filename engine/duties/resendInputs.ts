import { BATCH, type Duty, type DutyParts, inRounds, SETTLING_MS } from './duty.ts';

/** Answers whose signal was lost. */
export function resendInputs({ answers }: Pick<DutyParts, 'answers'>, intervalMs: number): Duty {
  const tell = () => answers.tellUntold(SETTLING_MS, BATCH);
  return { name: 'resend answers', intervalMs, run: (stopped) => inRounds(stopped, tell) };
}
