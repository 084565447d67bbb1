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
