/**
 * The content policy of our pages: everything from this server, no frames, no forms. `files`: sources of scripts and
 * images.
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
