import { counted } from '../../ui/words/counted.ts';

export const TEMPLATES_PAGE = {
  title: 'Templates',
  means: 'A template is copied into your project as a draft. Nothing runs until you run or publish it.',
  list: 'Templates to copy',
  project: 'Project',
  use: 'Use this template',
  useOf: (title: string) => `Use this template: ${title}`,
  contains: (queues: number, types: number, agents: number) =>
    [
      'A workflow',
      ...(queues === 0 ? [] : [counted(queues, 'queue', 'queues')]),
      ...(types === 0 ? [] : [counted(types, 'entity type', 'entity types')]),
      ...(agents === 0 ? [] : [counted(agents, 'agent', 'agents')]),
    ].join(', '),
  needs: (permissions: string) => `You need the permission ${permissions}.`,
  noProject: 'There is no project to copy it into.',
};
