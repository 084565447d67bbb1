/** What the Worker of the rules has in place of Node's. */
declare const Buffer: typeof import('./buffer.ts').BROWSER_BUFFER;
