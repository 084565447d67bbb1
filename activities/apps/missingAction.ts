/** This build lacks the action: a newer one has stored the definition. */
export class MissingAction extends Error {
  override readonly name = 'MissingAction';

  constructor(appId: string, actionId: string) {
    super(`This build has no action ${appId}.${actionId}`);
  }
}
