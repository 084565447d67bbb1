/** Characters that reverse the display of those behind them, so that `gnp.exe` is shown as `exe.png`. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;

export const plainName = (name: string) => name.replace(TURNS, '');
