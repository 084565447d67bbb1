/** Code whose time is at most this runs inline, as part of a region; a longer one gets an activity of its own. */
export const INLINE_UP_TO_MS = 200;
export const DEFAULT_TIMEOUT_MS = 10_000;
export const DEFAULT_MEMORY_MB = 128;
