import type { AppManifest } from '../../../domain/app/manifest.ts';
import { icon } from '../icon.ts';

export const FILES: AppManifest = {
  appId: 'files',
  name: 'Files',
  description: 'Watches a folder of the server.',
  icon: icon('<path d="M14 3H6v18h12V7z"/><path d="M14 3v4h4"/>'),
  categories: ['Files'],
  connectionTypes: [],
  actions: [],
  triggers: [
    {
      triggerId: 'changed',
      name: 'File changed',
      description:
        'Each file that is new or has a new time or size, by name. Only inside the folder FILES_ROOT; symbolic links are not followed.',
      permissions: [],
      inputConfig: {
        fields: [
          {
            key: 'folder',
            label: 'Folder',
            type: 'text',
            required: false,
            help: 'Relative to FILES_ROOT, e.g. in/orders; empty: the whole folder.',
          },
          {
            key: 'recursive',
            label: 'Include subfolders',
            type: 'boolean',
            required: false,
            default: false,
          },
          {
            key: 'endsWith',
            label: 'Name ends with',
            type: 'text',
            required: false,
            help: 'For example .csv; empty: all names.',
          },
        ],
      },
    },
  ],
};
