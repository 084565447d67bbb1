/** A problem that prevents a backup or restore and that an operator can fix. Nothing was written to a target. */
export class BackupProblem extends Error {
  override readonly name = 'BackupProblem';
}
