import type { components } from 'perdure-client';
import { ITEM_STATUSES } from '../../../domain/queue/itemStatus.ts';
import { itemTone } from './ItemStatus.tsx';
import { QUEUES } from './words.ts';

const words = QUEUES;

/** How many items of each state there are, as a bar and in words. */
export function ItemCounts({ counts }: { counts: components['schemas']['ItemCounts'] }) {
  const present = ITEM_STATUSES.map((status) => ({ status, count: counts[status] })).filter(({ count }) => count > 0);
  const total = present.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return <>{words.noItems}</>;
  return (
    <div className="item-counts">
      <div className="item-bar" aria-hidden>
        {present.map(({ status, count }) => (
          <span key={status} data-tone={itemTone(status)} style={{ flexGrow: count }} />
        ))}
      </div>
      <span className="item-words">
        {present
          .map(({ status, count }) => `${count.toLocaleString('en')} ${words.status[status].toLowerCase()}`)
          .join(', ')}
      </span>
    </div>
  );
}
