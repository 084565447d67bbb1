const DEEPEST = 6;

/** Whether it holds for a failure or for one that it was made of: drivers, adapters and Prisma wrap each other's. */
export function somePart(error: unknown, holds: (part: Record<string, unknown>) => boolean, depth = 0): boolean {
  if (depth > DEEPEST || typeof error !== 'object' || error === null) return false;
  if (holds(error as Record<string, unknown>)) return true;
  const { cause, meta, driverAdapterError, errors } = error as Record<string, unknown>;
  const inner = [cause, meta, driverAdapterError, ...(Array.isArray(errors) ? errors : [])];
  return inner.some((part) => somePart(part, holds, depth + 1));
}
