/** The execution has no row, or no definition: after a failover that lost writes, or with its workspace. */
export class ExecutionGone extends Error {
  override readonly name = 'ExecutionGone';

  constructor(what: string) {
    super(`There is no ${what}`);
  }
}
