export const ITEM_STATUSES = ['PENDING', 'PROCESSING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

export type ItemStatus = (typeof ITEM_STATUSES)[number];

export function isItemStatus(text: string): text is ItemStatus {
  return (ITEM_STATUSES as readonly string[]).includes(text);
}

/** Priority bands of the statistics. In SQL: queue_item_band. */
export const PRIORITY_BANDS = ['low', 'normal', 'high', 'critical'] as const;
