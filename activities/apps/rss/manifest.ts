import type { AppManifest } from '../../../domain/app/manifest.ts';
import { icon } from '../icon.ts';

export const RSS: AppManifest = {
  appId: 'rss',
  name: 'RSS',
  description: 'Watches news feeds.',
  icon: icon('<path d="M4 11a9 9 0 0 1 9 9"/><path d="M4 4a16 16 0 0 1 16 16"/><circle cx="5" cy="19" r="1"/>'),
  categories: ['Web'],
  connectionTypes: [],
  actions: [],
  triggers: [
    {
      triggerId: 'newItem',
      name: 'New item',
      description:
        'Each new item of an RSS 2.0 or Atom feed, oldest first. Items are identified by their guid or id, else by their link.',
      permissions: [],
      inputConfig: {
        fields: [{ key: 'url', label: 'URL of the feed', type: 'text', required: true }],
      },
    },
  ],
};
