import { findAction } from '../../../domain/app/manifest.ts';
import type { Operation } from '../../operation.ts';
import { type AdHocStep, runAdHoc } from './runAdHoc.ts';

export const runAction: Operation<'runAction'> = ({ body, ...request }) => {
  const action = findAction(request.services.catalogue, body.appId, body.actionId);
  return runAdHoc({
    ...request,
    name: action?.name ?? `${body.appId}.${body.actionId}`,
    steps: [body as AdHocStep],
    placeOf: (path) => path.replace(/^steps\[0\]\.?/, ''),
    defaultCounts: false,
  });
};

export const runSteps: Operation<'runSteps'> = ({ body, ...request }) =>
  runAdHoc({
    ...request,
    name: `Run of ${body.steps.length} ${body.steps.length === 1 ? 'step' : 'steps'}`,
    steps: body.steps as AdHocStep[],
    placeOf: (path) => path,
    defaultCounts: true,
  });
