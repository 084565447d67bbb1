import { config } from 'zod/v4/core';

// Its faster parser is made by eval, which the policy of the page refuses and reports. Before any schema is made.
config({ jitless: true });
