// Loaded into the workflows' context before any workflow (worker/bundle.ts). The SDK records the stack of each promise
// of a workflow for the query `__stack_trace`, and maps its frames to the sources: more than half of the workflow
// thread's time. An interpreter's stack does not show where an execution is; its details do.
Error.stackTraceLimit = 0;
