/** Apart from `words.ts`, because the input form loads late. */
export const RETRY_INPUT = {
  masked: 'Secrets are shown as ***. Enter their values: the retry uses this input as it is.',
  leaveMasked: 'The input still contains a secret as ***. Enter its value.',
  notAnObject: 'The original input is not an object. What you enter here replaces it.',
};
