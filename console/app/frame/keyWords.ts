/** The sheet of keys. */
export const KEYS = {
  title: 'Keys',
  here: 'This page',
  lists: 'Lists',
  everywhere: 'Every page',
  list: [
    ['j, k', 'Next and previous row'],
    ['Enter', 'Open it'],
    ['x', 'Choose it'],
  ] as const,
  find: 'Jump to anything by its name or number',
  search: 'To the search field',
  help: 'These keys',
  goTo: (place: string) => `Go to ${place}`,
  letters: 'Single letters are keys',
  lettersHelp: 'Off: only keys with Ctrl, Enter, Esc and the arrows do something. Kept in this browser.',
};
