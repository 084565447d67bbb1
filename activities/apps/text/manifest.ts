import type { AppManifest } from '../../../domain/app/manifest.ts';
import { icon } from '../icon.ts';
import { PARSE_CSV, PARSE_JSON, WRITE_CSV, WRITE_JSON } from './formatActions.ts';
import { JOIN, MATCH, REPLACE, SPLIT, TEMPLATE } from './textActions.ts';

export const TEXT: AppManifest = {
  appId: 'text',
  name: 'Text',
  description: 'Fills, splits, searches and converts texts, CSV and JSON.',
  icon: icon('<path d="M4 7V4h16v3"/><path d="M12 4v16"/><path d="M9 20h6"/>'),
  categories: ['Data'],
  connectionTypes: [],
  actions: [TEMPLATE, SPLIT, JOIN, MATCH, REPLACE, PARSE_CSV, WRITE_CSV, PARSE_JSON, WRITE_JSON],
  triggers: [],
};
