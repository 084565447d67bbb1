/** Words of a retry with another input; they come when one changes it. */
export const RETRY_INPUT = {
  masked: 'Secrets are shown as ***. Write their values: the retry gets what stands here.',
  leaveMasked: 'A secret still stands here as ***. Write its value.',
  notAnObject: 'It was started with a value that is no object. What you write here takes its place.',
};
