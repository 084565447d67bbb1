/** Allows pictures embedded in the text and the console's own files. Any other picture would cause a request. */
export function isShowable(address: string, origin: string): boolean {
  if (/^data:image\/(png|jpeg|gif|webp|avif);base64,/i.test(address)) return true;
  try {
    const url = new URL(address, origin);
    return url.origin === origin && /^\/console\/assets\/[\w.-]+$/.test(url.pathname) && url.search === '';
  } catch {
    return false;
  }
}

/** Characters that reverse the display of those behind them, so that `gnp.exe` is shown as `exe.png`. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;

export const plainName = (name: string) => name.replace(TURNS, '');
