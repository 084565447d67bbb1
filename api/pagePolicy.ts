/** The content policy of our pages: only this server, no frames, no forms. `files`: scripts and images. */
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
