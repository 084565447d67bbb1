export const KEYS = {
  title: 'Keys',
  here: 'This page',
  lists: 'Lists',
  everywhere: 'Every page',
  list: [
    ['j, k', 'Next and previous row'],
    ['Enter', 'Open it'],
    ['x', 'Select it'],
  ] as const,
  find: 'Jump to anything by its name or number',
  search: 'Go to the search field',
  help: 'These keys',
  goTo: (place: string) => `Go to ${place}`,
  letters: 'Single letters are keys',
  lettersHelp: 'If off, only Ctrl combinations, Enter, Esc and the arrow keys work. Saved in this browser.',
};
