/**
 * What a page of ours may load, all of it from this server: nothing frames it, and it sends no form. `files`: the sources of
 * scripts and pictures.
 */
export function pagePolicy({
  styles,
  fonts,
  files = "'self'",
}: {
  styles: string;
  fonts: string;
  files?: string;
}): string {
  return [
    "default-src 'none'",
    `script-src ${files}`,
    `style-src ${styles}`,
    `img-src ${files} data:`,
    `font-src ${fonts}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
