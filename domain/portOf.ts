/** URL leaves out the default ports. */
export function portOf({ port, protocol }: { port: string; protocol: string }): string {
  return port || (protocol === 'https:' ? '443' : '80');
}
