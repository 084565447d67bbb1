/** What keeps a backup or a restore from being done, and an operator can put right. Nothing was written to a target. */
export class BackupProblem extends Error {
  override readonly name = 'BackupProblem';
}
