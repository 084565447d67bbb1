/** What a page of ours may load, all of it from this server: nothing frames it, and it sends no form. */
export function pagePolicy({ styles, fonts }: { styles: string; fonts: string }): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    `font-src ${fonts}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
