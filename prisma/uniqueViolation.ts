import { Prisma } from './generated/client.ts';

/** Whether a statement failed because another row has the same unique values. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2010') return false;
  const adapterError = error.meta?.driverAdapterError as { cause?: { kind?: string } } | undefined;
  return adapterError?.cause?.kind === 'UniqueConstraintViolation';
}
