import { Chip, type Tone } from '../../../ui/Chip.tsx';
import type { PlanStep } from './toolParts.ts';
import { CHAT } from './words.ts';

const TONES: Record<string, Tone> = { open: 'neutral', underWay: 'run', done: 'good', dropped: 'neutral' };

export function PlanSteps({ steps }: { steps: readonly PlanStep[] }) {
  return (
    <ol className="plan">
      {steps.map(({ title, status }, at) => (
        <li key={at}>
          {title} <Chip tone={TONES[status] ?? 'neutral'}>{CHAT.planStates[status] ?? status}</Chip>
        </li>
      ))}
    </ol>
  );
}
