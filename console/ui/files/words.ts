import { counted } from '../words/counted.ts';

export const FILES = {
  choose: 'Choose a file',
  notUtf8: 'The file is no text in UTF-8. Save it in that encoding; spreadsheets call it “CSV UTF-8”.',
  wide: (row: number, columns: number) =>
    `row ${row} has more cells than the ${counted(columns, 'column', 'columns')} of the first line. Put a text that contains the separator in quotes.`,
  nameless: (column: number) => `column ${column} has no name in the first line.`,
  twice: (name: string) => `two columns are called “${name}”.`,
  open: (row: number) => (row === 0 ? 'a quote in the first line has no end.' : `a quote in row ${row} has no end.`),
};
