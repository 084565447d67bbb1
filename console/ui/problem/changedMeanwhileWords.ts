export const CHANGED_MEANWHILE = {
  nothingStored: 'Somebody else has changed this meanwhile, so nothing was stored.',
  copyFirst: 'Your text is still here. Copy what you want to keep, then load the latest version.',
  openAgain: 'Close this, check the latest version, and try again.',
  reload: 'Load the newest',
};
