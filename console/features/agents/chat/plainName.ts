/** Marks that turn the letters behind them around, by which a program can be shown as a picture: `exe.png` of `gnp.exe`. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;

/** The name of a file in the order of its letters. */
export const plainName = (name: string) => name.replace(TURNS, '');
