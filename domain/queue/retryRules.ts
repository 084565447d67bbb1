/** In SQL: fail_queue_items. */
export function retriesRemain(retryCount: number, { maxRetries }: { maxRetries: number }): boolean {
  return retryCount < maxRetries;
}
