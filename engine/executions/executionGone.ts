/** The execution has no row or definition: lost in a failover, or deleted with its workspace. */
export class ExecutionGone extends Error {
  override readonly name = 'ExecutionGone';

  constructor(what: string) {
    super(`There is no ${what}`);
  }
}
