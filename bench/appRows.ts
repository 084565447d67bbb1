import type { SampledRow } from './goal.ts';

/** Apps of a workspace. Names of `--row`. */
export const APP_ROW_NAMES = ['functionSteps', 'customCatalogue'] as const;
export type AppRowName = (typeof APP_ROW_NAMES)[number];

export const CALLS = 20;
export const CUSTOM_ACTIONS = 300;

export const APP_ROWS: Record<AppRowName, SampledRow> = {
  functionSteps: {
    title: `${CALLS} warm functions in a row`,
    unit: 'ms a step',
    beside: 'as many steps of `http.request` to this machine',
    goals: [{ of: 'difference', atMost: 15 }],
    samples: 5,
  },
  customCatalogue: {
    title: `catalogue with ${CUSTOM_ACTIONS} actions of a workspace`,
    unit: 'ms',
    beside: 'nothing',
    goals: [{ of: 'ours', atMost: 50 }],
    samples: 20,
  },
};
