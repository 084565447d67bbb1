/** Whether a picture may be shown: one that is in the text itself, or from the API's own origin. */
export function isShowable(address: string, origin: string): boolean {
  if (/^data:image\/(png|jpeg|gif|webp|avif);base64,/i.test(address)) return true;
  try {
    const { protocol, origin: its } = new URL(address, origin);
    return its === origin && (protocol === 'https:' || protocol === 'http:');
  } catch {
    return false;
  }
}
