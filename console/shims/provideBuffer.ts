import { BROWSER_BUFFER } from './buffer.ts';

// Imported first: modules of the rules may use it while they load.
Object.assign(globalThis, { Buffer: BROWSER_BUFFER });
