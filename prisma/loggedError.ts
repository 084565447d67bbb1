/** Errors of Prisma, of its adapter, and of the driver (rowsOf.ts), whose `code` is the SQLSTATE. */
const DATABASE_ERROR = /^(PrismaClient|DriverAdapterError$|DatabaseError$)/;

/** The loggable part of an error. Messages of the database quote values, so its errors are logged by their codes. */
export function loggedError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, meta } = error as { code?: unknown; meta?: unknown };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  const isDatabase = DATABASE_ERROR.test(error.name);
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(isDatabase ? { sqlState: sqlStateOf(meta) ?? code } : { message: error.message }),
    stack: frames.join('\n'),
    ...(error.cause === undefined ? {} : { cause: loggedError(error.cause) }),
  };
}

/** SQLSTATE, or the adapter's kind of failure. */
function sqlStateOf(meta: unknown): unknown {
  const failure = (meta as { driverAdapterError?: { cause?: { originalCode?: unknown; kind?: unknown } } } | undefined)
    ?.driverAdapterError?.cause;
  return failure?.originalCode ?? failure?.kind;
}
