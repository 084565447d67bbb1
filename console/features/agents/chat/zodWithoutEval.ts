import { config } from 'zod/v4/core';

// Zod's faster parser uses eval, which the page's policy refuses and reports. Must run before any schema is created.
config({ jitless: true });
