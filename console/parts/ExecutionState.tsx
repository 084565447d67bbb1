import './executionState.css';
import type { ExecutionWhole } from '../data/executions.ts';
import { useNow } from '../live/clock.ts';
import { Status } from './Status.tsx';
import { whyItWaits } from './whyItWaits.ts';

/** The state of an execution, and why it waits or what came of it; counts down by the second. */
export function ExecutionState({ execution }: { execution: ExecutionWhole }) {
  const now = useNow();
  return (
    <div role="status" className="why">
      {execution.status !== undefined && <Status status={execution.status} />}{' '}
      {whyItWaits(execution, now) ?? execution.statusMessage}
    </div>
  );
}
