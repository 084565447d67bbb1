import type { FileUIPart } from 'ai';

/** Files of messages that are written, by the key of their draft. In memory: they are too much for what a browser keeps beyond a reload. */
export const KEPT_FILES = new Map<string, readonly FileUIPart[]>();
