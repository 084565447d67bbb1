/** Whether a picture may be shown: one in the text itself, or one of the console's own files. Any other would be a request. */
export function isShowable(address: string, origin: string): boolean {
  if (/^data:image\/(png|jpeg|gif|webp|avif);base64,/i.test(address)) return true;
  try {
    const url = new URL(address, origin);
    return url.origin === origin && /^\/console\/assets\/[\w.-]+$/.test(url.pathname) && url.search === '';
  } catch {
    return false;
  }
}
