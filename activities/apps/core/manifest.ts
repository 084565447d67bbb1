import type { AppManifest } from '../../../domain/app/manifest.ts';
import { icon } from '../icon.ts';
import { FILTER, GROUP, MERGE_LISTS, SORT, SUMMARISE } from './listActions.ts';
import { ASSERT, SET, TRANSFORM } from './valueActions.ts';

export const CORE: AppManifest = {
  appId: 'core',
  name: 'Core',
  description: 'Shapes values and lists between the other steps.',
  icon: icon('<path d="m12 2 9 5v10l-9 5-9-5V7z"/><path d="m3 7 9 5 9-5"/><path d="M12 12v10"/>'),
  categories: ['Data'],
  connectionTypes: [],
  actions: [SET, TRANSFORM, FILTER, SORT, GROUP, SUMMARISE, MERGE_LISTS, ASSERT],
  triggers: [],
};
