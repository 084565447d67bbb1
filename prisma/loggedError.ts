/** Names of the errors of Prisma, its adapter and the driver (rowsOf.ts), whose `code` is the SQLSTATE. */
const DATABASE_ERROR = /^(PrismaClient|DriverAdapterError$|DatabaseError$)/;

/** Returns what may be logged of an error. Database messages quote values, so only their codes are logged. */
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

function sqlStateOf(meta: unknown): unknown {
  const failure = (meta as { driverAdapterError?: { cause?: { originalCode?: unknown; kind?: unknown } } } | undefined)
    ?.driverAdapterError?.cause;
  return failure?.originalCode ?? failure?.kind;
}
