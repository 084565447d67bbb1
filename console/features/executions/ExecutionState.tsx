import './executionState.css';
import { Status } from '../../ui/Status.tsx';
import { useNow } from '../../ui/time/clock.ts';
import { WORDS } from '../../ui/words/words.ts';
import type { ExecutionWhole } from './queries/executions.ts';
import { whyItWaits } from './whyItWaits.ts';

export function ExecutionState({ execution }: { execution: ExecutionWhole }) {
  const now = useNow();
  const { status, statusMessage } = execution;
  // Some messages only repeat the state.
  const message = status !== undefined && statusMessage === WORDS.status[status] ? undefined : statusMessage;
  return (
    <div role="status" className="why">
      {status !== undefined && <Status status={status} />} {whyItWaits(execution, now) ?? message}
    </div>
  );
}
