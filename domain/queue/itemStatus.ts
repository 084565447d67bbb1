export const ITEM_STATUSES = ['PENDING', 'PROCESSING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

export type ItemStatus = (typeof ITEM_STATUSES)[number];

export function isItemStatus(text: string): text is ItemStatus {
  return (ITEM_STATUSES as readonly string[]).includes(text);
}

export const PRIORITY_BANDS = ['low', 'normal', 'high', 'critical'] as const;

export type PriorityBand = (typeof PRIORITY_BANDS)[number];

/** Bands of the statistics (decisions.md 5). SQL: queue_item_band. */
export function priorityBand(priority: number): PriorityBand {
  if (priority < 0) return 'low';
  if (priority < 10) return 'normal';
  return priority < 100 ? 'high' : 'critical';
}
