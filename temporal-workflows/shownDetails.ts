import { setCurrentDetails, type WorkflowInternalsInterceptor } from '@temporalio/workflow';

let details = () => 'Running';

/** The text that the Temporal UI shows from now on as what this workflow does and waits for. */
export function showDetails(text: () => string): void {
  details = text;
}

/** It is composed when somebody asks: nobody looks at most of what a workflow passes through. */
export const detailsWhenAsked: WorkflowInternalsInterceptor = {
  activate(input, next) {
    if (input.activation.jobs?.some(({ queryWorkflow }) => queryWorkflow)) setCurrentDetails(details());
    return next(input);
  },
};
