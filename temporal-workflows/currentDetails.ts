import { setCurrentDetails, type WorkflowInternalsInterceptor } from '@temporalio/workflow';

let details = () => 'Running';

/** Sets the text with the workflow's activity and waits in the Temporal UI. */
export function showDetails(text: () => string): void {
  details = text;
}

/** Composed on each query, because most states of a workflow are never read. */
export const detailsWhenAsked: WorkflowInternalsInterceptor = {
  activate(input, next) {
    if (input.activation.jobs?.some(({ queryWorkflow }) => queryWorkflow)) setCurrentDetails(details());
    return next(input);
  },
};
