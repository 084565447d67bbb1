/** The types that the Worker of the rules has instead of Node's. */
declare const Buffer: typeof import('./buffer.ts').BROWSER_BUFFER;
