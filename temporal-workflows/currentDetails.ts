import { setCurrentDetails, type WorkflowInternalsInterceptor } from '@temporalio/workflow';

let details = () => 'Running';

export function showDetails(text: () => string): void {
  details = text;
}

/** Composes the text only for queries, because most states of a workflow are never read. */
export const detailsWhenAsked: WorkflowInternalsInterceptor = {
  activate(input, next) {
    if (input.activation.jobs?.some(({ queryWorkflow }) => queryWorkflow)) setCurrentDetails(details());
    return next(input);
  },
};
