/** Of what somebody else has changed since it was read. */
export const CHANGED_MEANWHILE = {
  nothingStored: 'Somebody else has changed this meanwhile, so nothing was stored.',
  copyFirst: 'What you wrote still stands here. Copy what you want to keep, and load the newest.',
  openAgain: 'Close this, look at the newest, and do it again.',
  reload: 'Load the newest',
};
