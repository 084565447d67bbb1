// Loaded into the workflows' context before any of them (worker/bundle.ts). The SDK records the stack of each promise
// that a workflow makes, for the query `__stack_trace`, and finds the places of its frames in the source map: more than
// half of the workflow thread's time. An interpreter's stack does not show where an execution is; its details do.
Error.stackTraceLimit = 0;
