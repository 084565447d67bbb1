/** The port of an http or https address, of which a URL leaves out the default. */
export function portOf({ port, protocol }: { port: string; protocol: string }): string {
  return port || (protocol === 'https:' ? '443' : '80');
}
